"""The one place that writes. Come here to change how files are made, marked, locked and cleaned."""
