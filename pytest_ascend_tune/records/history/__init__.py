"""Every run's numbers in SQL, and trends in them."""
