"""What people see. Come here to change the page, the plots, the terminal lines or the exports; numbers come from view.py."""
