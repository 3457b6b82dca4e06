"""What people see. Come here to change the page, the plots, the terminal or the exports; numbers come from view.py."""
