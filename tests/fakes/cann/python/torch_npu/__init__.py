"""Test double of torch_npu: imports, and nothing else."""

__version__ = "2.9.0.fake"
