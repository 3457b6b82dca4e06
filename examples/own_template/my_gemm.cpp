// A GEMM of your own, small enough to read: C[m, n] = op(A) op(B) in float32, blocked in three dimensions.
// Each parameter of space.toml is a macro in capitals; the defaults let the file compile as it stands.
#ifndef BLOCK_M
#define BLOCK_M 32
#endif
#ifndef BLOCK_N
#define BLOCK_N 64
#endif
#ifndef BLOCK_K
#define BLOCK_K 64
#endif

extern "C" {
long ascend_tune_thread_ns[64];  // CPU time of each thread in the last call; all zero: the caller's clock is used
void ascend_tune_release() {}    // nothing is kept between calls

int ascend_tune_gemm(int m, int n, int k, int a_transposed, int b_transposed, const void* a_data, const void* b_data,
                     void* c_data, int /*threads*/) {
  const float* a = static_cast<const float*>(a_data);
  const float* b = static_cast<const float*>(b_data);
  float* c = static_cast<float*>(c_data);
  const long a_row = a_transposed ? 1 : k, a_column = a_transposed ? m : 1;
  const long b_row = b_transposed ? 1 : n, b_column = b_transposed ? k : 1;
  for (long i = 0; i < long(m) * n; ++i) c[i] = 0;
  for (int i0 = 0; i0 < m; i0 += BLOCK_M) {
    const int i1 = i0 + BLOCK_M < m ? i0 + BLOCK_M : m;
    for (int p0 = 0; p0 < k; p0 += BLOCK_K) {
      const int p1 = p0 + BLOCK_K < k ? p0 + BLOCK_K : k;
      for (int j0 = 0; j0 < n; j0 += BLOCK_N) {
        const int j1 = j0 + BLOCK_N < n ? j0 + BLOCK_N : n;
        for (int i = i0; i < i1; ++i) {
          for (int p = p0; p < p1; ++p) {
            const float left = a[i * a_row + p * a_column];
            for (int j = j0; j < j1; ++j) c[long(i) * n + j] += left * b[p * b_row + j * b_column];
          }
        }
      }
    }
  }
  return 0;
}
}
