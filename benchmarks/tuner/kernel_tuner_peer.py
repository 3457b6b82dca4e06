"""Kernel Tuner's strategies in its own simulation mode: the order in which one visits the configurations."""

from __future__ import annotations

import contextlib
import io
import json
import random
import tempfile
from pathlib import Path

import numpy as np

from benchmarks.tuner.spaces import GEMM_RULES, HIDDEN_RULES, KnownSpace


def visited(space: KnownSpace, strategy: str, seed: int, budget: int) -> list[int]:
    """Rows in the order in which `strategy` evaluates them, at most `budget`."""
    import kernel_tuner
    from kernel_tuner import util

    seen: list[dict[str, int]] = []
    util.print_config_output = lambda tune_params, params, *rest, **more: seen.append(dict(params))
    random.seed(seed)
    np.random.seed(seed)
    tune_params = {name: [int(v) for v in levels] for name, levels in zip(space.names, space.levels, strict=True)}
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()):
        cache = Path(folder) / "cache.json"
        cache.write_text(json.dumps(_cache(space, tune_params)))
        kernel_tuner.tune_kernel(
            "k", "__global__ void k() {}", 4096, [], tune_params, lang="CUDA", restrictions=_restrictions(space),
            strategy=strategy, strategy_options={"max_fevals": budget}, cache=str(cache), simulation_mode=True,
            seed=seed, block_size_names=list(space.names[:2]), quiet=True,
        )  # fmt: skip
    rows = [space.rows[space.code(params)] for params in seen]
    return list(dict.fromkeys(rows))[:budget]


def _restrictions(space: KnownSpace) -> list[object] | None:
    if "MWG" in space.names:
        rules = [rule.replace("KWG", "32") for rule in HIDDEN_RULES]
        return [*GEMM_RULES] if "hidden" in space.name else [*GEMM_RULES, *rules]
    if space.total == np.prod([len(levels) for levels in space.levels]):
        return None
    return [lambda params: space.code(params) in space.rows]


def _cache(space: KnownSpace, tune_params: dict[str, list[int]]) -> dict[str, object]:
    entries = {}
    for row in range(space.total):
        params, time = dict(space.config(row)), float(space.time[row])
        entry: dict[str, object] = {
            **params, "compile_time": 1.0, "verification_time": 0.0, "benchmark_time": 1.0, "framework_time": 0.0,
            "strategy_time": 0.0, "timestamp": "2024-01-01 00:00:00+00:00", "time": time,
        }  # fmt: skip
        if not np.isfinite(time):
            entry["time"] = entry["__error__"] = "RuntimeFailedConfig"
        entries[",".join(str(params[name]) for name in space.names)] = entry
    return {
        "schema_version": "1.0.0", "device_name": "sim", "kernel_name": "k", "problem_size": 4096,
        "tune_params_keys": list(space.names), "tune_params": tune_params, "objective": "time", "cache": entries,
    }  # fmt: skip
