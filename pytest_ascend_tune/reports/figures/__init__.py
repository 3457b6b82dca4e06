"""Pictures, as data and drawn."""
