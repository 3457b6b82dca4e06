"""How good the simulator is: fit, errors against published measurements, speed, and what it saves as a prior."""
