// Runs a cpu_gemm kernel once per problem given as "m n k a_transposed b_transposed threads" and compares every element.
// Matrices hold small integers, so float32 sums are exact and any order of summation gives the same result. Buffers are
// allocated at their exact size: a sanitiser sees every access outside of them.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#ifdef DTYPE_BFLOAT16
struct Element {
  unsigned short bits;
  Element(float x = 0) {  // to nearest, ties to even
    unsigned whole;
    memcpy(&whole, &x, 4);
    bits = (whole + 0x7fff + (whole >> 16 & 1)) >> 16;
  }
  operator float() const {
    const unsigned whole = (unsigned)bits << 16;
    float x;
    memcpy(&x, &whole, 4);
    return x;
  }
};
#else
typedef float Element;
#endif

extern "C" int ascend_tune_gemm(int, int, int, int, int, const void*, const void*, void*, int);
extern "C" long ascend_tune_thread_ns[64];
extern "C" void ascend_tune_release();

int main(int argc, char** argv) {
  unsigned state = 1;
  auto next = [&state] { return (float)((int)((state = state * 1664525u + 1013904223u) >> 24) % 9 - 4); };
  for (int at = 1; at + 6 <= argc; at += 6) {
    const int m = atoi(argv[at]), n = atoi(argv[at + 1]), k = atoi(argv[at + 2]);
    const int a_transposed = atoi(argv[at + 3]), b_transposed = atoi(argv[at + 4]), threads = atoi(argv[at + 5]);
    std::vector<Element> a((size_t)m * k), b((size_t)k * n), c((size_t)m * n, -777.f);
    for (Element& x : a) x = next();
    for (Element& x : b) x = next();
    const int status = ascend_tune_gemm(m, n, k, a_transposed, b_transposed, a.data(), b.data(), c.data(), threads);
    if (status) return printf("%d %d %d: status %d\n", m, n, k, status), 1;
    for (int t = 0; t < threads; t++)
      if (ascend_tune_thread_ns[t] <= 0) return printf("thread %d has no time\n", t), 1;
    for (int i = 0; i < m; i++)
      for (int j = 0; j < n; j++) {
        float sum = 0;
        for (int l = 0; l < k; l++)
          sum += a[a_transposed ? (size_t)l * m + i : (size_t)i * k + l] * b[b_transposed ? (size_t)j * k + l : (size_t)l * n + j];
        if (c[(size_t)i * n + j] != Element(sum))
          return printf("%d %d %d %d%d %d threads: c[%d,%d] = %g, not %g\n", m, n, k, a_transposed, b_transposed, threads, i, j,
                        (float)c[(size_t)i * n + j], (float)Element(sum)), 1;
      }
  }
  ascend_tune_release();
  puts("right");
}
