#include "my_gemm.h"

#include <algorithm>

#ifndef BLOCK_K
#define BLOCK_K 64
#endif

void my_sgemm(int64_t m, int64_t n, int64_t k, const float* a, int64_t lda, const float* b, int64_t ldb, float* c,
              int64_t ldc) {
  for (int64_t row = 0; row < m; row++) std::fill(c + row * ldc, c + row * ldc + n, 0.0f);
  for (int64_t first = 0; first < k; first += BLOCK_K) {
    const int64_t last = std::min<int64_t>(first + BLOCK_K, k);
    for (int64_t row = 0; row < m; row++) {
      for (int64_t step = first; step < last; step++) {
        const float factor = a[row * lda + step];
        for (int64_t column = 0; column < n; column++) c[row * ldc + column] += factor * b[step * ldb + column];
      }
    }
  }
}
