"""One run from its problems to its reports. Come here to change what happens in which order.

- ``run``: the session that both doors open; ``context``: what its parts share; ``places``, ``screen``, ``clock``
- ``jobs``: from a request to a job, resolved once; ``ledger``: results, what was missed, who tuned what
- ``gate``: one problem from search to kept result, by ``search``, ``warmstart``, ``confirm``, ``against``, ``judge``,
  ``record``
- ``interrupts``: Ctrl-C held back where it would tear something
- ``reporting``: what a run says when it is over; ``publish``: its files
- ``api``: the Python API without pytest
"""
