"""A second, slow reading of compiled schedules, written apart from the product's: the judge of injected faults."""
