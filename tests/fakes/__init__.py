"""Stand-ins for the seams, used by the tests of every room."""
