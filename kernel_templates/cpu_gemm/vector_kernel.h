// The micro-kernel in GCC vector extensions, and the packing that feeds it. Elements of A and B are float32 or bfloat16;
// packed panels and sums are float32.
#pragma once

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

typedef float Vec __attribute__((vector_size(kVecBytes)));
typedef float VecU __attribute__((vector_size(kVecBytes), aligned(4), may_alias));
typedef float Vec4 __attribute__((vector_size(16)));
typedef float Vec4U __attribute__((vector_size(16), aligned(2), may_alias));
typedef unsigned Word4 __attribute__((vector_size(16)));
typedef Bf16 Half4 __attribute__((vector_size(8)));
typedef Bf16 Half4U __attribute__((vector_size(8), aligned(2), may_alias));

#if defined(__clang__) || __GNUC__ >= 12
#define SHUFFLE(x, y, ...) __builtin_shufflevector(x, y, __VA_ARGS__)
#else
typedef int Int4 __attribute__((vector_size(16)));
#define SHUFFLE(x, y, ...) __builtin_shuffle(x, y, Int4{__VA_ARGS__})
#endif

inline float widen(float x) { return x; }
inline float widen(Bf16 x) {
  const unsigned bits = (unsigned)x << 16;
  float result;
  __builtin_memcpy(&result, &bits, 4);
  return result;
}
inline Vec4 widen4(const float* source) { return *(const Vec4U*)source; }
inline Vec4 widen4(const Bf16* source) {
  return (Vec4)(__builtin_convertvector((Half4) * (const Half4U*)source, Word4) << 16);
}

// 4 x 4 transposition: row i of the result, kept `ldo` apart, is column i of r0 to r3.
inline void store_transposed(Vec4 r0, Vec4 r1, Vec4 r2, Vec4 r3, float* out, long ldo) {
  Vec4 p0 = SHUFFLE(r0, r1, 0, 4, 1, 5), p1 = SHUFFLE(r0, r1, 2, 6, 3, 7);
  Vec4 p2 = SHUFFLE(r2, r3, 0, 4, 1, 5), p3 = SHUFFLE(r2, r3, 2, 6, 3, 7);
  *(Vec4U*)out = SHUFFLE(p0, p2, 0, 1, 4, 5);
  *(Vec4U*)(out + ldo) = SHUFFLE(p0, p2, 2, 3, 6, 7);
  *(Vec4U*)(out + 2 * ldo) = SHUFFLE(p1, p3, 0, 1, 4, 5);
  *(Vec4U*)(out + 3 * ldo) = SHUFFLE(p1, p3, 2, 3, 6, 7);
}

// `extent` rows of op(A) (columns of op(B)), `depth` deep, become micro-panels [panel][k][W]; the last is padded with
// zeros. pack_across reads a source that is contiguous along k, pack_along one that is contiguous along the panel.
template <int W>
__attribute__((noinline)) void pack_across(const Element* source, long ld, int extent, int depth, float* out) {
  for (int first = 0; first < extent; first += W, out += (long)W * depth) {
    const Element* rows = source + first * ld;
    const int have = smaller(W, extent - first), whole = have == W ? depth & ~3 : 0;
    for (int k0 = 0; k0 < whole; k0 += 16) {  // 16 deep = a cache line of every float32 row, used up before the next
      if (first + 2 * W <= extent)            // the same line of the next panel's rows
        for (int i = 0; i < W; i++) __builtin_prefetch(rows + (i + W) * ld + k0);
      for (int i = 0; i + 4 <= W; i += 4)
        for (int k = k0; k < smaller(k0 + 16, whole); k += 4) {
          const Element* s = rows + i * ld + k;
          store_transposed(widen4(s), widen4(s + ld), widen4(s + 2 * ld), widen4(s + 3 * ld), out + (long)k * W + i, W);
        }
    }
    for (int k = 0; k < depth; k++)
      for (int i = k < whole ? W & ~3 : 0; i < W; i++) out[(long)k * W + i] = i < have ? widen(rows[i * ld + k]) : 0.f;
  }
}

template <int W>
__attribute__((noinline)) void pack_along(const Element* source, long ld, int extent, int depth, float* out) {
  constexpr int kStrip = 128 / W * W;  // copied together: few enough panels for the prefetchers to follow
  for (int first = 0; first < extent; first += kStrip, out += (long)kStrip * depth) {
    const int have = smaller(kStrip, extent - first), whole = have / W * W;
    for (int k = 0; k < depth; k++) {
      const Element* row = source + k * ld + first;
      const Element* later = source + smaller(k + 4, depth - 1) * ld + first;  // rows are far apart: hide the latency
      float* d = out + (long)k * W;
      for (int i = 0; i < whole; i += W, d += (long)W * depth) {
        for (int j = 0; j < W; j += kLineElements) __builtin_prefetch(later + i + j);
        for (int j = 0; j < W; j++) d[j] = widen(row[i + j]);
      }
      if (whole < have)
        for (int j = 0; j < W; j++) d[j] = whole + j < have ? widen(row[whole + j]) : 0.f;
    }
  }
}

struct VectorEngine {
  typedef float Packed;
  static constexpr int kRows = kMR, kColumns = kNR, kDepthStep = 1;
  static constexpr int kAhead = 16;  // columns of the next B panel that one call fetches

  static void start() {}
  static void stop() {}

  static void pack_a(const Element* a, long ld, bool transposed, int rows, int depth, float* out) {
    if (transposed) pack_along<kMR>(a, ld, rows, depth, out);
    else pack_across<kMR>(a, ld, rows, depth, out);
  }

  static void pack_b(const Element* b, long ld, bool transposed, int columns, int depth, float* out) {
    if (transposed) pack_across<kNR>(b, ld, columns, depth, out);
    else pack_along<kNR>(b, ld, columns, depth, out);
  }

  // out[kMR][kNR] (row stride ldo) = acc + a * b over `depth`; a and b are micro-panels, acc may be null (zero).
  // `ahead` is memory that the next call will read.
  __attribute__((noinline)) static void multiply(int depth, const float* __restrict a, const float* __restrict b,
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
#pragma GCC unroll 4
    for (int k = 0; k < depth; k++) {
      Vec row[kVecs];
#pragma GCC unroll 4
      for (int j = 0; j < kVecs; j++) row[j] = *(const Vec*)(b + j * kLanes);
#pragma GCC unroll 16
      for (int i = 0; i < kMR; i++)
#pragma GCC unroll 4
        for (int j = 0; j < kVecs; j++) c[i][j] += a[i] * row[j];
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
};
