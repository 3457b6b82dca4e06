// Fused multiply-add peak of one core: independent multiply-adds on registers only, in the widest vectors that the
// compiler targets. 12 chains cover the latency of every current core (4 cycles x 2 units = 8 chains on AVX-512).
#if defined(__AVX512F__)
#define VECTOR_BYTES 64
#elif defined(__AVX__)
#define VECTOR_BYTES 32
#else
#define VECTOR_BYTES 16
#endif

extern "C" int clock_gettime(int, void*);

namespace {
typedef float Vector __attribute__((vector_size(VECTOR_BYTES)));
constexpr int kChains = 12, kUnroll = 4, kTurns = 30000;

long thread_cpu_ns() {
  long time[2];
  clock_gettime(3 /* CLOCK_THREAD_CPUTIME_ID */, time);
  return time[0] * 1000000000L + time[1];
}
}  // namespace

// Returns GFLOPS of one run of about half a millisecond, on the clock of the calling thread's CPU time.
extern "C" double ascend_tune_fma_peak() {
  Vector sum[kChains], factor, term;
  // Unknown to the compiler: it would leave out every chain that starts at its fixed point.
  volatile float half = 0.5f, quarter = 0.25f;
  for (int i = 0; i < VECTOR_BYTES / 4; i++) factor[i] = half, term[i] = quarter;
#pragma GCC unroll 12
  for (int c = 0; c < kChains; c++) sum[c] = term * (float)(c + 1);
  const long started = thread_cpu_ns();
  for (int turn = 0; turn < kTurns; turn++) {
#pragma GCC unroll 4
    for (int u = 0; u < kUnroll; u++)
#pragma GCC unroll 12
      for (int c = 0; c < kChains; c++) sum[c] = sum[c] * factor + term;
  }
  float total = 0;
  for (int c = 0; c < kChains; c++)
    for (int i = 0; i < VECTOR_BYTES / 4; i++) total += sum[c][i];
  volatile float used = total;
  (void)used;
  const long ns = thread_cpu_ns() - started;
  return 2.0 * kTurns * kUnroll * kChains * (VECTOR_BYTES / 4) / (double)ns;
}
