"""What a user can set. Come here to add an option or to change which of two places wins."""
