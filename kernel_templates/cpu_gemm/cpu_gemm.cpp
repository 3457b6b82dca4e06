// Tunable GEMM on a CPU: C[m, n] = op(A)[m, k] * op(B)[k, n], float32, dense, C row-major.
//
// Nine macros are the tunable parameters (README.md says what each does). GCC vector extensions only, and no headers:
// a build is part of every trial, and headers would be most of its time.
#ifndef TILE_M
#define TILE_M 96
#endif
#ifndef TILE_N
#define TILE_N 1024
#endif
#ifndef L1_K
#define L1_K 384
#endif
#ifndef L0_K
#define L0_K 192
#endif
#ifndef ENABLE_UNIT
#define ENABLE_UNIT 1
#endif
#ifndef ENABLE_SHUFFLE_K
#define ENABLE_SHUFFLE_K 1
#endif
#ifndef ENABLE_ABBA
#define ENABLE_ABBA 0
#endif
#ifndef SWIZZLE_OFFSET
#define SWIZZLE_OFFSET 1
#endif
#ifndef SWIZZLE_DIRECTION
#define SWIZZLE_DIRECTION 1
#endif

extern "C" {
int posix_memalign(void** memory, unsigned long alignment, unsigned long size);
void free(void* memory);
int madvise(void* memory, unsigned long size, int advice);
int clock_gettime(int clock, void* time);
int pthread_create(unsigned long* thread, const void* attributes, void* (*start)(void*), void* argument);
int pthread_join(unsigned long thread, void** result);
long ascend_tune_thread_ns[64];
}

namespace {

constexpr int kTileM = TILE_M, kTileN = TILE_N;  // tile of C that one work item computes
constexpr int kL1K = L1_K;                       // depth of one packed block of A and B
constexpr int kL0K = L0_K;                       // depth of one micro-kernel call
constexpr bool kUnit = ENABLE_UNIT, kShuffleK = ENABLE_SHUFFLE_K, kAbba = ENABLE_ABBA;
constexpr int kGroup = SWIZZLE_OFFSET;           // rows (columns) of tiles that are visited together
constexpr bool kGroupRows = SWIZZLE_DIRECTION == 0;
constexpr int kMaxThreads = 64;
constexpr long kCacheLimit = 16L << 20;          // elements of packed panels kept per thread: 64 MiB
static_assert(kTileM > 0 && kTileN > 0 && kL1K > 0 && kL0K > 0 && kGroup > 0, "sizes start at 1");

// The micro-kernel keeps kMR x kNR of C in registers; sizes follow from the number of vector registers.
#if defined(__AVX512F__)
constexpr int kVecBytes = 64, kMR = kTileM % 12 == 0 ? 12 : 8, kVecs = kTileN >= 32 ? 2 : 1;  // 32 registers
#elif defined(__AVX__)
constexpr int kVecBytes = 32, kMR = kTileM % 6 == 0 ? 6 : 4, kVecs = 2;                       // 16 registers
#elif defined(__aarch64__)
constexpr int kVecBytes = 16, kMR = 8, kVecs = kTileN % 12 == 0 ? 3 : 2;                      // 32 registers
#else
constexpr int kVecBytes = 16, kMR = 4, kVecs = 2;                                             // 16 registers
#endif
constexpr int kLanes = kVecBytes / 4, kNR = kVecs * kLanes;
constexpr int kPanelsA = (kTileM + kMR - 1) / kMR, kPanelsB = (kTileN + kNR - 1) / kNR;  // micro-panels in a tile

typedef float Vec __attribute__((vector_size(kVecBytes)));
typedef float VecU __attribute__((vector_size(kVecBytes), aligned(4), may_alias));
typedef float Vec4 __attribute__((vector_size(16)));
typedef float Vec4U __attribute__((vector_size(16), aligned(4), may_alias));

#if defined(__clang__) || __GNUC__ >= 12
#define SHUFFLE(x, y, ...) __builtin_shufflevector(x, y, __VA_ARGS__)
#else
typedef int Int4 __attribute__((vector_size(16)));
#define SHUFFLE(x, y, ...) __builtin_shuffle(x, y, Int4{__VA_ARGS__})
#endif

inline int smaller(int a, int b) { return a < b ? a : b; }
inline int ceil_div(int a, int b) { return a / b + (a % b != 0); }

// out[kMR][kNR] (row stride ldo) = acc + a * b over `depth`; a and b are micro-panels, acc may be null (zero).
// `ahead` is memory that the next call will read.
__attribute__((noinline)) void micro_kernel(int depth, const float* __restrict a, const float* __restrict b,
                                            const float* acc, float* out, long ldo, const float* ahead) {
  Vec c[kMR][kVecs];
#pragma GCC unroll 16
  for (int i = 0; i < kMR; i++)
#pragma GCC unroll 4
    for (int j = 0; j < kVecs; j++) c[i][j] = Vec{};
  if (acc) {
#pragma GCC unroll 16
    for (int i = 0; i < kMR; i++)
#pragma GCC unroll 4
      for (int j = 0; j < kVecs; j++) c[i][j] = *(const Vec*)(acc + i * kNR + j * kLanes);
  }
  if (ldo != kNR) {  // this call writes C itself: ask for its lines early
#pragma GCC unroll 16
    for (int i = 0; i < kMR; i++) {
      __builtin_prefetch(out + i * ldo, 1);
      __builtin_prefetch(out + i * ldo + kNR - 1, 1);
    }
  }
  for (int k = 0; k < depth; k++) {
    Vec row[kVecs];
#pragma GCC unroll 4
    for (int j = 0; j < kVecs; j++) row[j] = *(const Vec*)(b + j * kLanes);
#pragma GCC unroll 16
    for (int i = 0; i < kMR; i++)
#pragma GCC unroll 4
      for (int j = 0; j < kVecs; j++) c[i][j] += a[i] * row[j];
    __builtin_prefetch(a + 40 * kMR);
    __builtin_prefetch(ahead);
    ahead += 16;
    a += kMR;
    b += kNR;
  }
#pragma GCC unroll 16
  for (int i = 0; i < kMR; i++)
#pragma GCC unroll 4
    for (int j = 0; j < kVecs; j++) *(VecU*)(out + i * ldo + j * kLanes) = c[i][j];
}

// Packing: `extent` rows of op(A) (columns of op(B)), `depth` deep, become micro-panels [panel][k][W]; the last is padded
// with zeros. pack_across reads a source that is contiguous along k, pack_along one that is contiguous along the panel.
template <int W>
__attribute__((noinline)) void pack_across(const float* source, long ld, int extent, int depth, float* out) {
  for (int first = 0; first < extent; first += W, out += (long)W * depth) {
    const float* rows = source + first * ld;
    const int have = smaller(W, extent - first), whole = have == W ? depth & ~3 : 0;
    for (int k0 = 0; k0 < whole; k0 += 16)  // 16 deep = one cache line of every row, used up before the next
      for (int i = 0; i + 4 <= W; i += 4)
        for (int k = k0; k < smaller(k0 + 16, whole); k += 4) {
          const float* s = rows + i * ld + k;
          float* d = out + (long)k * W + i;
          Vec4 r0 = *(const Vec4U*)s, r1 = *(const Vec4U*)(s + ld);
          Vec4 r2 = *(const Vec4U*)(s + 2 * ld), r3 = *(const Vec4U*)(s + 3 * ld);
          Vec4 p0 = SHUFFLE(r0, r1, 0, 4, 1, 5), p1 = SHUFFLE(r0, r1, 2, 6, 3, 7);
          Vec4 p2 = SHUFFLE(r2, r3, 0, 4, 1, 5), p3 = SHUFFLE(r2, r3, 2, 6, 3, 7);
          *(Vec4U*)d = SHUFFLE(p0, p2, 0, 1, 4, 5);
          *(Vec4U*)(d + W) = SHUFFLE(p0, p2, 2, 3, 6, 7);
          *(Vec4U*)(d + 2 * W) = SHUFFLE(p1, p3, 0, 1, 4, 5);
          *(Vec4U*)(d + 3 * W) = SHUFFLE(p1, p3, 2, 3, 6, 7);
        }
    for (int k = 0; k < depth; k++)
      for (int i = k < whole ? W & ~3 : 0; i < W; i++) out[(long)k * W + i] = i < have ? rows[i * ld + k] : 0.f;
  }
}

template <int W>
__attribute__((noinline)) void pack_along(const float* source, long ld, int extent, int depth, float* out) {
  const int whole = extent / W * W;
  for (int k = 0; k < depth; k++) {
    const float* row = source + k * ld;
    const float* later = source + smaller(k + 4, depth - 1) * ld;  // rows are far apart: hide the latency
    float* d = out + (long)k * W;
    for (int i = 0; i < whole; i += W, d += (long)W * depth) {
      for (int j = 0; j < W; j += 16) __builtin_prefetch(later + i + j);
      __builtin_memcpy(d, row + i, W * sizeof(float));
    }
    if (whole < extent)
      for (int j = 0; j < W; j++) d[j] = whole + j < extent ? row[whole + j] : 0.f;
  }
}

inline void copy_out(const float* block, float* c, long ldc, int rows, int columns) {
  for (int i = 0; i < rows; i++, block += kNR, c += ldc) {
    if (columns == kNR) __builtin_memcpy(c, block, kNR * sizeof(float));
    else
      for (int j = 0; j < columns; j++) c[j] = block[j];
  }
}

// Scratch of each thread, kept between calls.
struct Scratch { float* memory; unsigned long bytes; } scratch[kMaxThreads];

float* reserve(int thread, unsigned long elements) {
  const unsigned long page = 2UL << 20, bytes = (elements * sizeof(float) + page - 1) / page * page;
  Scratch& own = scratch[thread];
  if (own.bytes < bytes) {
    free(own.memory);
    own = Scratch{};
    void* memory = nullptr;
    if (posix_memalign(&memory, page, bytes)) return nullptr;
    madvise(memory, bytes, 14 /* MADV_HUGEPAGE */);
    own = Scratch{(float*)memory, bytes};
  }
  return own.memory;
}

// Visiting order: groups of kGroup tile rows (columns), each swept along the other axis, back and forth.
inline void locate(long item, int tiles_m, int tiles_n, int& tm, int& tn) {
  const int grouped = kGroupRows ? tiles_m : tiles_n, swept = kGroupRows ? tiles_n : tiles_m;
  const int group = (int)(item / ((long)kGroup * swept));
  const long inside = item - (long)group * kGroup * swept;
  const int width = smaller(kGroup, grouped - group * kGroup);
  const int p = group * kGroup + (int)(inside % width);
  int q = (int)(inside / width);
  if (group & 1) q = swept - 1 - q;
  tm = kGroupRows ? p : q;
  tn = kGroupRows ? q : p;
}

struct Problem {
  int m, n, k;
  bool a_transposed, b_transposed;
  const float *a, *b;
  float* c;
  int threads;
};

// Packed blocks of one operand: `wide` tiles of the current group times `deep` K blocks; tag = tile held in a slot.
struct Panels {
  float* memory;
  int* tags;
  long block;  // elements of one slot
  int wide, deep;
  bool keep;

  float* slot(int tile, int kb, bool& held) {
    const int index = (tile % wide) * deep + (keep ? kb : 0);
    held = keep && tags[index] == tile;
    tags[index] = tile;
    return memory + index * block;
  }
};

int run_thread(const Problem& p, int thread) {
  const int tiles_m = ceil_div(p.m, kTileM), tiles_n = ceil_div(p.n, kTileN), blocks_k = ceil_div(p.k, kL1K);
  const int depth_max = smaller(kL1K, p.k);
  const long lda = p.a_transposed ? p.m : p.k, ldb = p.b_transposed ? p.k : p.n;

  // What the visiting order comes back to within a group is kept packed, as long as it stays below the limit.
  Panels a{}, b{};
  a.block = (long)kPanelsA * kMR * depth_max, b.block = (long)kPanelsB * kNR * depth_max;
  a.wide = kGroupRows ? smaller(kGroup, tiles_m) : 1, b.wide = kGroupRows ? 1 : smaller(kGroup, tiles_n);
  a.keep = tiles_n > 1 && (kGroupRows || b.wide > 1 || tiles_m == 1) && a.block * a.wide * blocks_k <= kCacheLimit;
  b.keep = tiles_m > 1 && (!kGroupRows || a.wide > 1 || tiles_n == 1) && b.block * b.wide * blocks_k <= kCacheLimit;
  if (!a.keep) a.wide = 1;
  if (!b.keep) b.wide = 1;
  a.deep = a.keep ? blocks_k : 1, b.deep = b.keep ? blocks_k : 1;
  const long slots_a = (long)a.wide * a.deep, slots_b = (long)b.wide * b.deep;
  const long size_c = (long)kPanelsA * kPanelsB * kMR * kNR, gap = 1024;  // gap: prefetches run past the end
  auto round_up = [](long elements) { return (elements + gap + 15) & ~15L; };
  const long size_a = round_up(a.block * slots_a), size_b = round_up(b.block * slots_b);
  a.memory = reserve(thread, size_a + size_b + round_up(size_c) + slots_a + slots_b);
  if (!a.memory) return 1;
  b.memory = a.memory + size_a;
  float* const acc = b.memory + size_b;
  a.tags = (int*)(acc + round_up(size_c)), b.tags = a.tags + slots_a;
  for (long i = 0; i < slots_a + slots_b; i++) a.tags[i] = -1;
  alignas(64) float edge[kMR * kNR];

  const long items = (long)tiles_m * tiles_n;
  const long first_item = items * thread / p.threads, last_item = items * (thread + 1) / p.threads;
  int step = 0;
  for (long item = first_item; item < last_item; item++) {
    int tm, tn;
    locate(item, tiles_m, tiles_n, tm, tn);
    const long row0 = (long)tm * kTileM, column0 = (long)tn * kTileN;
    const int rows = smaller(kTileM, (int)(p.m - row0)), columns = smaller(kTileN, (int)(p.n - column0));
    const int panels_a = ceil_div(rows, kMR), panels_b = ceil_div(columns, kNR);
    float* const c = p.c + row0 * p.n + column0;
    // Threads start at different K blocks; a tile starts at the block where the one before it ended.
    const int turn =
        kShuffleK ? (int)(((long)thread * blocks_k / p.threads + (item - first_item) * (blocks_k - 1)) % blocks_k) : 0;
    for (int kk = 0; kk < blocks_k; kk++) {
      const int kb = kk + turn < blocks_k ? kk + turn : kk + turn - blocks_k;
      const long k0 = (long)kb * kL1K;
      const int depth = smaller(kL1K, (int)(p.k - k0));
      bool held_a, held_b;
      float *const block_a = a.slot(tm, kb, held_a), *const block_b = b.slot(tn, kb, held_b);
      for (int turn_of = 0; turn_of < 2; turn_of++) {
        if ((turn_of == 0) != (kAbba && (kk & 1))) {
          if (held_a) continue;
          if (p.a_transposed) pack_along<kMR>(p.a + k0 * lda + row0, lda, rows, depth, block_a);
          else pack_across<kMR>(p.a + row0 * lda + k0, lda, rows, depth, block_a);
        } else {
          if (held_b) continue;
          if (p.b_transposed) pack_across<kNR>(p.b + column0 * ldb + k0, ldb, columns, depth, block_b);
          else pack_along<kNR>(p.b + k0 * ldb + column0, ldb, columns, depth, block_b);
        }
      }
      for (int l0 = 0; l0 < depth; l0 += kL0K, step++) {
        const int part = smaller(kL0K, depth - l0);
        const bool first = kk == 0 && l0 == 0, last = kk == blocks_k - 1 && l0 + kL0K >= depth;
        const bool back = kAbba && (step & 1);
        for (int jj = 0; jj < panels_b; jj++) {
          const int j = back ? panels_b - 1 - jj : jj;
          const float* panel_b = block_b + ((long)j * depth + l0) * kNR;
          for (int ii = 0; ii < panels_a; ii++) {
            const int i = back ? panels_a - 1 - ii : ii;
            const float* panel_a = block_a + ((long)i * depth + l0) * kMR;
            // The first calls on a B panel fetch the next one, a share of 16 columns each.
            const bool fetch = ii * 16 < kNR && (back ? j > 0 : j + 1 < panels_b);
            const float* ahead = fetch ? panel_b + (back ? -1L : 1L) * depth * kNR + (long)ii * part * 16 : panel_a;
            float* const sum = acc + ((long)j * kPanelsA + i) * (kMR * kNR);
            if (!(kUnit && last)) {
              micro_kernel(part, panel_a, panel_b, first ? nullptr : sum, sum, kNR, ahead);
              continue;
            }
            const int r = smaller(kMR, rows - i * kMR), w = smaller(kNR, columns - j * kNR);
            float* const target = c + (long)i * kMR * p.n + j * kNR;
            const bool whole = r == kMR && w == kNR;
            micro_kernel(part, panel_a, panel_b, first ? nullptr : sum, whole ? target : edge, whole ? p.n : kNR, ahead);
            if (!whole) copy_out(edge, target, p.n, r, w);
          }
        }
      }
    }
    if (!kUnit)
      for (int i = 0; i < panels_a; i++)
        for (int j = 0; j < panels_b; j++)
          copy_out(acc + ((long)j * kPanelsA + i) * (kMR * kNR), c + (long)i * kMR * p.n + j * kNR, p.n,
                   smaller(kMR, rows - i * kMR), smaller(kNR, columns - j * kNR));
  }
  return 0;
}

long cpu_ns() {
  long time[2];
  clock_gettime(3 /* CLOCK_THREAD_CPUTIME_ID */, time);
  return time[0] * 1000000000L + time[1];
}

struct Worker {
  const Problem* problem;
  int thread, status;
  unsigned long handle;
};

void* work(void* argument) {
  Worker& worker = *(Worker*)argument;
  const long start = cpu_ns();
  worker.status = run_thread(*worker.problem, worker.thread);
  ascend_tune_thread_ns[worker.thread] = cpu_ns() - start;
  return nullptr;
}

}  // namespace

extern "C" int ascend_tune_gemm(int m, int n, int k, int a_transposed, int b_transposed, const void* a, const void* b,
                                void* c, int threads) {
  if (m < 1 || n < 1 || k < 1 || !a || !b || !c || threads < 1 || threads > kMaxThreads) return 2;
  const Problem problem{m, n, k, a_transposed != 0, b_transposed != 0, (const float*)a, (const float*)b, (float*)c, threads};
  Worker workers[kMaxThreads];
  for (int t = 0; t < kMaxThreads; t++) ascend_tune_thread_ns[t] = 0;
  int started = 1, status = 0;
  for (int t = 0; t < threads; t++) workers[t] = Worker{&problem, t, 0, 0};
  while (started < threads && !pthread_create(&workers[started].handle, nullptr, work, &workers[started])) started++;
  work(&workers[0]);
  for (int t = started; t < threads; t++) work(&workers[t]);  // threads that could not be started
  for (int t = 1; t < started; t++) pthread_join(workers[t].handle, nullptr);
  for (int t = 0; t < threads; t++) status |= workers[t].status;
  return status;
}

extern "C" void ascend_tune_release() {
  for (Scratch& own : scratch) {
    free(own.memory);
    own = Scratch{};
  }
}
