"""Ascend 910B: CANN and CATLASS build, torch_npu launch, device events."""
