"""The HTML page: html (renders templates/), glossary."""
