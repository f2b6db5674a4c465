"""Steps that derivations share: what two results need lives here, below them. Nothing here decides anything."""
