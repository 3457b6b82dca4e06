"""How good is the CPU kernel? See README.md."""
