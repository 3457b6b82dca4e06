"""Triton-Ascend kernels without a board: Huawei's compiler is run, and what it emits is executed as it was scheduled.

chain (Triton source -> optimised HIVM, in generic form) -> module (parsed) -> program (typed instructions) -> codegen
(a Python function) -> run on a machine: ``execute`` (real bytes of L1, L0C and UB, with ``hazards``) or ``timeline``
(virtual time of each pipe). ``library`` knows what the compiler's library functions do. Nothing here has run on a 910B.
"""
