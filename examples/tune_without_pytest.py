"""Tune one problem from a script: prints each trial, then the confirmed result. Takes about half a minute on a CPU."""

from pytest_ascend_tune import GemmProblem, tune


def show(trial, convergence):
    problem_rate = (
        f"{PROBLEM.tflops(trial.time_us):.4f} TFLOPS" if trial.time_us else f"failed: {trial.failure.message}"
    )
    print(f"trial {trial.index}: {problem_rate} ({trial.config})")


PROBLEM = GemmProblem(512, 512, 512, "float32")

if __name__ == "__main__":
    result = tune(PROBLEM, backend="cpu", max_iter=10, seed=42, observe=show)
    low, high = result.confirmed.interval
    print(result.convergence.reason)
    print(f"confirmed: {result.confirmed.tflops:.4f} TFLOPS [{low:.4f}, {high:.4f}]")
    print(f"share of this CPU's peak: {result.confirmed.efficiency_share:.0%}")
