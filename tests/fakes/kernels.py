"""Tiny kernels in C++ for the cpu backend: a right one to be spoilt by a line, and the template round it."""

from __future__ import annotations

import hashlib
import os
import shutil

import pytest

from pytest_ascend_tune.model.problem import Dtype, Layout
from pytest_ascend_tune.model.search import Template

needs_compiler = pytest.mark.skipif(
    "CXX" not in os.environ and not shutil.which("g++"), reason="needs a C++ compiler (g++, or CXX)"
)

RIGHT = "multiply(m, n, k, a_transposed, b_transposed, (const float*)a, (const float*)b, (float*)c);"

_SOURCE = """\
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

extern "C" long ascend_tune_thread_ns[64];
long ascend_tune_thread_ns[64];

static void multiply(int m, int n, int k, int ta, int tb, const float* a, const float* b, float* c) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      float sum = 0;
      for (int p = 0; p < k; p++)
        sum += a[ta ? (long)p * m + i : (long)i * k + p] * b[tb ? (long)j * k + p : (long)p * n + j];
      c[(long)i * n + j] = sum;
    }
}

%(helpers)s

extern "C" int ascend_tune_gemm(int m, int n, int k, int a_transposed, int b_transposed, const void* a, const void* b,
                                void* c, int threads) {
  timespec start, end;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &start);
  %(body)s
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end);
  ascend_tune_thread_ns[0] = (end.tv_sec - start.tv_sec) * 1000000000L + end.tv_nsec - start.tv_nsec;
  return 0;
}
"""


def kernel_template(body: str = RIGHT, helpers: str = "") -> Template:
    """A template whose kernel does `body`; RIGHT multiplies."""
    return source_template(_SOURCE % {"body": body, "helpers": helpers})


def source_template(source: str) -> Template:
    """A template of one file."""
    files = (("kernel.cpp", source),)
    digest = hashlib.sha256(repr(files).encode()).hexdigest()
    return Template("tiny", "Tiny", "kernel.cpp", files, digest, 1, ("cpu",), (Dtype.FLOAT32,), tuple(Layout))
