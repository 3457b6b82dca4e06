"""The terminal, Markdown, JUnit and JSON."""
