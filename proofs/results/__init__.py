"""One file per result, named for what it says; the ledger lists them in reading order."""
