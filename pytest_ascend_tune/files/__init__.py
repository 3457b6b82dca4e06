"""Files: written whole or not at all, marked, locked, cleaned; JSON read strictly. Come here to change how."""
