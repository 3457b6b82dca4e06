"""What is tuned. Come here to change how a template folder is read, or how its search space and constraints work."""
