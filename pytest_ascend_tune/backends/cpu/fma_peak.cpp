// Peak rate of one core: independent multiply-adds on registers only, with the widest instructions that the compiler
// targets. DTYPE_BFLOAT16: AMX tiles where the system permits them, else the faster of bfloat16 dot products and float32.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("O3")  // the peak belongs to the machine, whatever a compiler wrapper thinks of optimising
#endif
#if defined(__AVX512F__)
#define VECTOR_BYTES 64
#elif defined(__AVX__)
#define VECTOR_BYTES 32
#else
#define VECTOR_BYTES 16
#endif

extern "C" int clock_gettime(int, void*);
extern "C" long syscall(long, ...);

namespace {
typedef float Vector __attribute__((vector_size(VECTOR_BYTES)));
// 12 chains cover the latency of every current core (4 cycles x 2 units = 8 chains on AVX-512).
constexpr int kChains = 12, kUnroll = 4, kLanes = VECTOR_BYTES / 4;

long thread_cpu_ns() {
  long time[2];
  clock_gettime(3 /* CLOCK_THREAD_CPUTIME_ID */, time);
  return time[0] * 1000000000L + time[1];
}

#if defined(DTYPE_BFLOAT16) && defined(__AMX_BF16__) && defined(__linux__)
// GFLOPS of tile products, 0 when the system does not let this process use tiles.
double tiles() {
  constexpr long kArchPrctl = 158, kRequestPermission = 0x1023, kTileData = 18, kTurns = 1500;
  if (syscall(kArchPrctl, kRequestPermission, kTileData)) return 0;
  struct alignas(64) {
    unsigned char palette = 1, start_row = 0, reserved[14] = {};
    unsigned short row_bytes[16] = {64, 64, 64, 64, 64, 64, 64, 64};
    unsigned char rows[16] = {16, 16, 16, 16, 16, 16, 16, 16};
  } shape;
  __asm__ volatile("ldtilecfg %0" : : "m"(shape));
  __asm__ volatile("tilezero %tmm0\n tilezero %tmm1\n tilezero %tmm2\n tilezero %tmm3");
  __asm__ volatile("tilezero %tmm4\n tilezero %tmm5\n tilezero %tmm6\n tilezero %tmm7");
  const long started = thread_cpu_ns();
  for (long turn = 0; turn < kTurns; turn++)
    __asm__ volatile(
        "tdpbf16ps %tmm6, %tmm4, %tmm0\n tdpbf16ps %tmm7, %tmm4, %tmm1\n"
        "tdpbf16ps %tmm6, %tmm5, %tmm2\n tdpbf16ps %tmm7, %tmm5, %tmm3");
  const long ns = thread_cpu_ns() - started;
  __asm__ volatile("tilerelease");
  return 4.0 * kTurns * 2 * 16 * 16 * 32 / (double)ns;
}
#endif

struct MultiplyAdd {
  static constexpr int kProducts = 1;  // of each lane in one instruction
  static void apply(Vector& sum, const Vector& factor, const Vector& term) { sum = sum * factor + term; }
};

#if defined(DTYPE_BFLOAT16) && defined(__AVX512BF16__)
struct DotProduct {
  static constexpr int kProducts = 2;
  static void apply(Vector& sum, const Vector& factor, const Vector& term) {
    __asm__("vdpbf16ps %2, %1, %0" : "+v"(sum) : "v"(factor), "v"(term));
  }
};
#endif

// GFLOPS of an instruction on vectors.
template <class Instruction>
double vectors() {
  constexpr int kTurns = 30000;
  Vector sum[kChains], factor, term;
  // Unknown to the compiler: it would leave out every chain that starts at its fixed point.
  volatile float half = 0.5f, quarter = 0.25f;
  for (int i = 0; i < kLanes; i++) factor[i] = half, term[i] = quarter;
#pragma GCC unroll 12
  for (int c = 0; c < kChains; c++) sum[c] = term * (float)(c + 1);
  const long started = thread_cpu_ns();
  for (int turn = 0; turn < kTurns; turn++) {
#pragma GCC unroll 4
    for (int u = 0; u < kUnroll; u++)
#pragma GCC unroll 12
      for (int c = 0; c < kChains; c++) Instruction::apply(sum[c], factor, term);
  }
  float total = 0;
  for (int c = 0; c < kChains; c++)
    for (int i = 0; i < kLanes; i++) total += sum[c][i];
  volatile float used = total;
  (void)used;
  const long ns = thread_cpu_ns() - started;
  return 2.0 * Instruction::kProducts * kTurns * kUnroll * kChains * kLanes / (double)ns;
}
}  // namespace

// GFLOPS of one run of less than a millisecond, on the clock of the calling thread's CPU time.
extern "C" double ascend_tune_fma_peak() {
#if defined(DTYPE_BFLOAT16) && defined(__AMX_BF16__) && defined(__linux__)
  if (const double rate = tiles()) return rate;
#endif
  const double rate = vectors<MultiplyAdd>();
#if defined(DTYPE_BFLOAT16) && defined(__AVX512BF16__)
  const double other = vectors<DotProduct>();
  if (other > rate) return other;
#endif
  return rate;
}
