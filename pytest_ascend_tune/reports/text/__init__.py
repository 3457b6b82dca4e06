"""Text: terminal (on columns), markdown, machine (results.json, JUnit), commands (to do it again)."""
