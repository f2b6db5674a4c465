"""The commands of ``posbias``, one file each: options in, text or JSON out, no mathematics."""
