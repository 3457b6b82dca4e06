"""What people see: figures/, page/, text/ (terminal, Markdown, machine-readable), messages/.

view fills the rows of a report (rows) from results; statuses, labels and sentences word them; rounding writes numbers;
publishing writes the files.
"""
