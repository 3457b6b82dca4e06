#pragma once
#include <cstdint>

// C[m, n] = A[m, k] B[k, n], row-major, leading dimensions in elements.
extern "C" void my_sgemm(int64_t m, int64_t n, int64_t k, const float* a, int64_t lda, const float* b, int64_t ldb,
                         float* c, int64_t ldc);
