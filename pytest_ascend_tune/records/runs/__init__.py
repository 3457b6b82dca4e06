"""A run's folders: journal, history, best configuration, convergence; the seed's form too."""
