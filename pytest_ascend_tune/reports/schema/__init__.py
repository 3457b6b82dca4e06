"""Published JSON Schemas of what machine.py writes."""
