"""What a user can set. Come here to add an option or to change which of two places wins.

- ``table``: every option; ``parse``: its values; ``settings``: which place wins; ``shapes``: lists of problems
"""
