"""Values as JSON text and back. Come here to change how any value is spelled on disk."""
