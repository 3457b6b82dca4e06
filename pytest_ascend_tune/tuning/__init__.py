"""How we search. Come here to change proposals (surrogate, acquisition, feasibility), the loop, or the stop rule."""
