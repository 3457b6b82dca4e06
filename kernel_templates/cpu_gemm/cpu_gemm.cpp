// Tunable GEMM on a CPU: C[m, n] = op(A)[m, k] * op(B)[k, n], dense, C row-major, sums in float32.
//
// Nine macros are the tunable parameters (README.md says what each does); DTYPE_BFLOAT16 or DTYPE_FLOAT32 (the default) is
// the type of A, B and C. No system headers: a build is part of every trial, and headers would be most of its time.
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
void* mmap(void* address, unsigned long size, int protection, int flags, int file, long offset);
int munmap(void* memory, unsigned long size);
int madvise(void* memory, unsigned long size, int advice);
int clock_gettime(int clock, void* time);
int pthread_create(unsigned long* thread, const void* attributes, void* (*start)(void*), void* argument);
int pthread_join(unsigned long thread, void** result);
long ascend_tune_thread_ns[64];
#ifdef __SANITIZE_ADDRESS__
void __asan_poison_memory_region(const volatile void* memory, unsigned long size);
void __asan_unpoison_memory_region(const volatile void* memory, unsigned long size);
#endif
}

namespace {

constexpr int kTileM = TILE_M, kTileN = TILE_N;  // tile of C that one work item computes
constexpr int kL1K = L1_K;                       // depth of one packed block of A and B
constexpr int kL0K = L0_K;                       // depth of one micro-kernel call
constexpr bool kUnit = ENABLE_UNIT, kShuffleK = ENABLE_SHUFFLE_K, kAbba = ENABLE_ABBA;
constexpr int kGroup = SWIZZLE_OFFSET;           // rows (columns) of tiles that are visited together
constexpr bool kGroupRows = SWIZZLE_DIRECTION == 0;
constexpr int kMaxThreads = 64;
constexpr long kCacheLimit = 64L << 20;          // bytes of packed panels of A, and of B, that a thread keeps
static_assert(kTileM > 0 && kTileN > 0 && kL1K > 0 && kL0K > 0 && kGroup > 0, "sizes start at 1");

typedef unsigned short Bf16;
#ifdef DTYPE_BFLOAT16
typedef Bf16 Element;
#else
typedef float Element;
#endif
constexpr int kLineElements = 64 / sizeof(Element);

inline int smaller(int a, int b) { return a < b ? a : b; }
inline int ceil_div(int a, int b) { return a / b + (a % b != 0); }
inline long round_up(long value, long step) { return (value + step - 1) / step * step; }

#include "vector_kernel.h"
#if defined(DTYPE_BFLOAT16) && defined(__AMX_BF16__) && defined(__linux__)
#define WITH_AMX
#include "amx_kernel.h"
#endif

inline void narrow(float x, float& result) { result = x; }
inline void narrow(float x, Bf16& result) {  // to nearest, ties to even
  unsigned bits;
  __builtin_memcpy(&bits, &x, 4);
  result = x != x ? 0x7fc0 : (Bf16)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

// A micro-tile of sums, rows kColumns apart, goes to C.
template <int kColumns>
inline void copy_out(const float* block, Element* c, long ldc, int rows, int columns) {
  for (int i = 0; i < rows; i++, block += kColumns, c += ldc) {
    if (columns == kColumns)
      for (int j = 0; j < kColumns; j++) narrow(block[j], c[j]);
    else
      for (int j = 0; j < columns; j++) narrow(block[j], c[j]);
  }
}

// Scratch of each thread, kept between calls. Mapped afresh, in huge pages where the system grants them: packed panels in
// scattered small pages cost a fifth of the speed (they collide in L2), and a heap would hand out such pages again.
struct Scratch {
  char *mapping, *memory;
  unsigned long mapped;
} scratch[kMaxThreads];

void release(Scratch& own) {
  if (own.mapping) munmap(own.mapping, own.mapped);
  own = Scratch{};
}

char* reserve(int thread, long size) {
  Scratch& own = scratch[thread];
  const unsigned long page = 2UL << 20, mapped = round_up(size, page) + page;
  if (own.mapped < mapped) {
    release(own);
    void* mapping = mmap(nullptr, mapped, 3 /* read, write */, 0x22 /* private, anonymous */, -1, 0);
    if (mapping == (void*)-1L) return nullptr;
    own = Scratch{(char*)mapping, (char*)round_up((long)mapping, page), mapped};
    madvise(own.memory, mapped - page, 14 /* MADV_HUGEPAGE */);
  }
#ifdef __SANITIZE_ADDRESS__  // show it what of this may be used
  __asan_unpoison_memory_region(own.mapping, own.mapped);
  __asan_poison_memory_region(own.memory + size, own.mapping + own.mapped - own.memory - size);
#endif
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
  const Element *a, *b;
  Element* c;
  int threads;
};

// Packed blocks of one operand: `wide` tiles of the current group times `deep` K blocks; tag = tile held in a slot.
template <class Packed>
struct Panels {
  Packed* memory;
  int* tags;
  long block;  // elements of one slot
  int wide, deep;
  bool keep;

  // What the visiting order comes back to within a group is kept packed, as long as it stays below the limit.
  Panels(long block_, int wide_, int blocks_k, bool reused)
      : memory(nullptr), tags(nullptr), block(block_), wide(wide_), deep(blocks_k),
        keep(reused && block_ * wide_ * blocks_k * (long)sizeof(Packed) <= kCacheLimit) {
    if (!keep) wide = deep = 1;
  }
  long slots() const { return (long)wide * deep; }
  long bytes() const { return round_up(block * slots() * sizeof(Packed) + 8192, 64); }  // prefetches run past the end

  Packed* slot(int tile, int kb, bool& held) {
    const int index = (tile % wide) * deep + (keep ? kb : 0);
    held = keep && tags[index] == tile;
    tags[index] = tile;
    return memory + index * block;
  }
};

template <class Engine>
int run_thread(const Problem& p, int thread) {
  typedef typename Engine::Packed Packed;
  constexpr int kRows = Engine::kRows, kColumns = Engine::kColumns, kStep = Engine::kDepthStep;
  constexpr int kPanelsA = (kTileM + kRows - 1) / kRows, kPanelsB = (kTileN + kColumns - 1) / kColumns;
  constexpr bool kDirect = sizeof(Element) == sizeof(float);  // sums can be stored in C as they are
  static_assert(kL0K % kStep == 0 && kL1K % kStep == 0, "l0_k and l1_k must be multiples of the depth of a tile");
  const int tiles_m = ceil_div(p.m, kTileM), tiles_n = ceil_div(p.n, kTileN), blocks_k = ceil_div(p.k, kL1K);
  const long lda = p.a_transposed ? p.m : p.k, ldb = p.b_transposed ? p.k : p.n;

  const long depth_max = round_up(smaller(kL1K, p.k), kStep);
  const int group_m = kGroupRows ? smaller(kGroup, tiles_m) : 1, group_n = kGroupRows ? 1 : smaller(kGroup, tiles_n);
  Panels<Packed> a(kPanelsA * kRows * depth_max, group_m, blocks_k,
                   tiles_n > 1 && (kGroupRows || group_n > 1 || tiles_m == 1));
  Panels<Packed> b(kPanelsB * kColumns * depth_max, group_n, blocks_k,
                   tiles_m > 1 && (!kGroupRows || group_m > 1 || tiles_n == 1));
  const long sums = (long)kPanelsA * kPanelsB * kRows * kColumns * sizeof(float), tags = a.slots() + b.slots();
  char* const memory = reserve(thread, a.bytes() + b.bytes() + sums + tags * (long)sizeof(int));
  if (!memory) return 1;
  a.memory = (Packed*)memory, b.memory = (Packed*)(memory + a.bytes());
  float* const acc = (float*)(memory + a.bytes() + b.bytes());
  a.tags = (int*)((char*)acc + sums), b.tags = a.tags + a.slots();
  for (long i = 0; i < tags; i++) a.tags[i] = -1;
  alignas(64) float edge[kRows * kColumns];

  Engine::start();
  const long items = (long)tiles_m * tiles_n;
  const long first_item = items * thread / p.threads, last_item = items * (thread + 1) / p.threads;
  int step = 0;
  for (long item = first_item; item < last_item; item++) {
    int tm, tn;
    locate(item, tiles_m, tiles_n, tm, tn);
    const long row0 = (long)tm * kTileM, column0 = (long)tn * kTileN;
    const int rows = smaller(kTileM, (int)(p.m - row0)), columns = smaller(kTileN, (int)(p.n - column0));
    const int panels_a = ceil_div(rows, kRows), panels_b = ceil_div(columns, kColumns);
    Element* const c = p.c + row0 * p.n + column0;
    // Threads start at different K blocks; a tile starts at the block where the one before it ended.
    const int turn =
        kShuffleK ? (int)(((long)thread * blocks_k / p.threads + (item - first_item) * (blocks_k - 1)) % blocks_k) : 0;
    for (int kk = 0; kk < blocks_k; kk++) {
      const int kb = kk + turn < blocks_k ? kk + turn : kk + turn - blocks_k;
      const long k0 = (long)kb * kL1K;
      const int depth = smaller(kL1K, (int)(p.k - k0));
      bool held_a, held_b;
      Packed *const block_a = a.slot(tm, kb, held_a), *const block_b = b.slot(tn, kb, held_b);
      for (int half = 0; half < 2; half++) {
        if ((half == 0) != (kAbba && (kk & 1))) {
          const Element* source = p.a + (p.a_transposed ? k0 * lda + row0 : row0 * lda + k0);
          if (!held_a) Engine::pack_a(source, lda, p.a_transposed, rows, depth, block_a);
        } else {
          const Element* source = p.b + (p.b_transposed ? column0 * ldb + k0 : k0 * ldb + column0);
          if (!held_b) Engine::pack_b(source, ldb, p.b_transposed, columns, depth, block_b);
        }
      }
      const long packed_depth = round_up(depth, kStep);
      for (int l0 = 0; l0 < depth; l0 += kL0K, step++) {
        const int part = smaller(kL0K, (int)packed_depth - l0);
        const bool first = kk == 0 && l0 == 0, last = kk == blocks_k - 1 && l0 + kL0K >= depth;
        const bool back = kAbba && (step & 1);
        for (int jj = 0; jj < panels_b; jj++) {
          const int j = back ? panels_b - 1 - jj : jj;
          const Packed* panel_b = block_b + (j * packed_depth + l0) * kColumns;
          const Packed* next_b = panel_b + (back ? -packed_depth : packed_depth) * kColumns;
          const bool another = back ? j > 0 : j + 1 < panels_b;
          for (int ii = 0; ii < panels_a; ii++) {
            const int i = back ? panels_a - 1 - ii : ii;
            const Packed* panel_a = block_a + (i * packed_depth + l0) * kRows;
            // The first calls on a B panel fetch the next one, a share of its columns each.
            const bool fetch = another && ii * Engine::kAhead < kColumns;
            const Packed* ahead = fetch ? next_b + (long)ii * part * Engine::kAhead : panel_a;
            float* const sum = acc + ((long)j * kPanelsA + i) * (kRows * kColumns);
            if (!(kUnit && last)) {
              Engine::multiply(part, panel_a, panel_b, first ? nullptr : sum, sum, kColumns, ahead);
              continue;
            }
            const int r = smaller(kRows, rows - i * kRows), w = smaller(kColumns, columns - j * kColumns);
            Element* const target = c + (long)i * kRows * p.n + j * kColumns;
            const bool direct = kDirect && r == kRows && w == kColumns;
            Engine::multiply(part, panel_a, panel_b, first ? nullptr : sum, direct ? (float*)target : edge,
                             direct ? p.n : kColumns, ahead);
            if (!direct) copy_out<kColumns>(edge, target, p.n, r, w);
          }
        }
      }
    }
    if (!kUnit)
      for (int i = 0; i < panels_a; i++)
        for (int j = 0; j < panels_b; j++)
          copy_out<kColumns>(acc + ((long)j * kPanelsA + i) * (kRows * kColumns),
                             c + (long)i * kRows * p.n + j * kColumns, p.n, smaller(kRows, rows - i * kRows),
                             smaller(kColumns, columns - j * kColumns));
  }
  Engine::stop();
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
#ifdef WITH_AMX
  worker.status = AmxEngine::available() ? run_thread<AmxEngine>(*worker.problem, worker.thread)
                                         : run_thread<VectorEngine>(*worker.problem, worker.thread);
#else
  worker.status = run_thread<VectorEngine>(*worker.problem, worker.thread);
#endif
  ascend_tune_thread_ns[worker.thread] = cpu_ns() - start;
  return nullptr;
}

}  // namespace

extern "C" int ascend_tune_gemm(int m, int n, int k, int a_transposed, int b_transposed, const void* a, const void* b,
                                void* c, int threads) {
  if (m < 1 || n < 1 || k < 1 || !a || !b || !c || threads < 1 || threads > kMaxThreads) return 2;
  const Problem problem{m, n, k, a_transposed != 0, b_transposed != 0, (const Element*)a, (const Element*)b, (Element*)c,
                        threads};
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
  for (Scratch& own : scratch) release(own);
}
