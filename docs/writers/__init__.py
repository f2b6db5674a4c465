"""What the site has that nobody types: pages written from the ledger, the commands, the docstrings."""
