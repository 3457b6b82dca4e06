"""What we remember. Come here to change the form of baselines, journals, run folders, kept sources or the history."""
