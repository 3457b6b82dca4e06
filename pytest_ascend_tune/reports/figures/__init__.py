"""Pictures, as data and drawn: a picture a file, and registry.py names them all.

canvas (the ground), svg (the renderer), levels, bins, trials: what several share. picture: what one is. convergence,
distribution, comparison, roofline, predicted, trend: the pictures. gantt: a compiled
schedule's pipes, for the command line. png: the two files of a run's folder.
"""
