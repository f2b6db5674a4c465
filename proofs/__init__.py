"""posbias: what is claimed of position bias in causal Transformers, and by what evidence."""
