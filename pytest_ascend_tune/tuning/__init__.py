"""How we search. Come here to change proposals (surrogate, acquisition, feasibility), the loop, or the stop rule.

``loop``           ask, run, tell: the trials of a job, one after the other, until the caller has enough
``tuner``          which configuration next: the start, the model's proposals, pending ones
``candidate_set``  legal configurations as rows of a matrix: which are used up, which are scored
``surrogate``      scikit-optimize's Gaussian process learns the hyperparameters; effects of the parameters
``posterior``      the Gaussian process's arithmetic, extended point by point
``ensemble``       several Gaussian processes that see the same measurements
``acquisition``    expected improvement
``feasibility``    which configurations are likely to fail
``convergence``    the stop rule: trials in, a judgement with its evidence out
"""
