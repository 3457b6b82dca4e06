"""One run from its problems to its reports. Come here to change what happens in which order."""
