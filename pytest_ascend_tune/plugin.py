"""Door of pytest: options, marker, fixture and hooks; each hook calls one function of settings or session."""
