// The kernel's loop: C = A B on one core, written against about ten primitives of the cube unit's memories.
//
// What the primitives do is a binding's business: device.hpp binds them to CATLASS's tile components, host.hpp to a plain
// C++ emulation that checks capacities, flags and unwritten memory. All nine tuning parameters act here:
//   tile_m, tile_n      tile of C that accumulates in L0C; l1_k, l0_k: its depth in L1 and in L0A/L0B
//   unit_flag           L0C is handed to FixPipe by the hardware's unit flag instead of two events per tile
//   shuffle_k           core c starts at the c-th tile along k, so that the cores do not read the same addresses at once
//   abba                every other step loads B before A
//   swizzle_*           order of the tiles of C (tile_order.hpp)
//
// Pipes: MTE2 loads GM -> L1, MTE1 feeds L1 -> L0A/L0B, M multiplies into L0C, FIX stores L0C -> GM. Loads run one step
// ahead, across tiles of C. No lambdas and no class-scope specialisations: both compilers of CANN accept the rest.
#pragma once

#include "tile_order.hpp"

namespace ascend_tune {

// Ordering between two pipes. Each is set by the first named pipe and waited for by the second.
enum class Flag : uint32_t {
    A_FREE = 0,  // MTE1 -> MTE2: the slot of A in L1 was read
    B_FREE = 1,  // MTE1 -> MTE2: the slot of B in L1 was read
    A_READY = 2, // MTE2 -> MTE1: the slot of A in L1 is loaded
    B_READY = 3, // MTE2 -> MTE1: the slot of B in L1 is loaded
    L0_FREE = 4, // M -> MTE1: the stage of L0A and L0B was multiplied
    L0_READY = 5, // MTE1 -> M: the stage of L0A and L0B is fed
    C_READY = 6, // M -> FIX: the tile of C is complete
    C_FREE = 7,  // FIX -> M: the tile of C was stored
};

// What a multiplication (or the store) does with the unit flag of L0C.
enum class Unit : uint32_t {
    OFF = 0,
    HOLD = 2,  // wait until L0C belongs to this pipe, keep it
    PASS = 3,  // wait until L0C belongs to this pipe, then pass it on to the other
};

struct Shape {
    uint32_t m, n, k;
};

// Type of A and B; hfloat32 is float32 data multiplied at the HF32 rate.
enum class Dtype : uint32_t { FLOAT16, BFLOAT16, FLOAT32, HFLOAT32, INT8 };

// Storage of A and B, one letter each: N row-major, T transposed (column-major).
enum class Layout : uint32_t { NN, NT, TN, TT };

constexpr bool a_transposed(Layout layout)
{
    return layout == Layout::TN || layout == Layout::TT;
}

constexpr bool b_transposed(Layout layout)
{
    return layout == Layout::NT || layout == Layout::TT;
}

constexpr uint32_t element_bytes(Dtype dtype)
{
    return dtype == Dtype::INT8 ? 1 : (dtype == Dtype::FLOAT16 || dtype == Dtype::BFLOAT16) ? 2 : 4;
}

// One configuration. Capacities are those of the binding, so that an illegal configuration does not compile.
template <
    uint32_t tile_m_, uint32_t tile_n_, uint32_t l1_k_, uint32_t l0_k_, uint32_t unit_flag_, uint32_t shuffle_k_,
    uint32_t abba_, uint32_t swizzle_offset_, uint32_t swizzle_direction_>
struct Tiling {
    static constexpr uint32_t tile_m = tile_m_, tile_n = tile_n_, l1_k = l1_k_, l0_k = l0_k_;
    static constexpr bool unit_flag = unit_flag_, shuffle_k = shuffle_k_, abba = abba_;
    static constexpr uint32_t swizzle_offset = swizzle_offset_, swizzle_direction = swizzle_direction_;
};

template <class Tiling, uint32_t element_bytes, uint32_t l1_bytes, uint32_t l0a_bytes, uint32_t l0b_bytes, uint32_t l0c_bytes>
struct Fits {
    static_assert(2 * (Tiling::tile_m + Tiling::tile_n) * Tiling::l1_k * element_bytes <= l1_bytes, "two slots of A and B exceed L1");
    static_assert(2 * Tiling::tile_m * Tiling::l0_k * element_bytes <= l0a_bytes, "two stages of A exceed L0A");
    static_assert(2 * Tiling::tile_n * Tiling::l0_k * element_bytes <= l0b_bytes, "two stages of B exceed L0B");
    static_assert(Tiling::tile_m * Tiling::tile_n * 4 <= l0c_bytes, "the tile of C exceeds L0C");
    static_assert(Tiling::l0_k <= Tiling::l1_k, "l0_k is larger than l1_k");
    static_assert(Tiling::tile_m % 16 == 0 && Tiling::tile_n % 16 == 0, "the cube's fractals are 16 wide");
    static_assert(Tiling::l1_k % 16 == 0 && Tiling::l0_k % 16 == 0, "the cube's fractals are 16 deep");
    static_assert(
        Tiling::tile_m * element_bytes % 32 == 0 && Tiling::tile_n * element_bytes % 32 == 0 &&
            Tiling::l1_k * element_bytes % 32 == 0 && Tiling::l0_k * element_bytes % 32 == 0,
        "L1 is moved in blocks of 32 bytes");
    static_assert(element_bytes > 1 || !Tiling::unit_flag, "the unit flag is not allowed for int8");
    static constexpr bool value = true;
};

template <class Tiling, class Binding>
class Gemm {
public:
    GEMM_DEVICE Gemm(Binding& binding, Shape const& problem)
        : cube(binding),
          shape(problem),
          rows((problem.m + Tiling::tile_m - 1) / Tiling::tile_m),
          columns((problem.n + Tiling::tile_n - 1) / Tiling::tile_n),
          depth((problem.k + Tiling::l1_k - 1) / Tiling::l1_k),
          first_part(binding.core() % depth)
    {}

    // All tiles of C that fall to this core.
    GEMM_DEVICE void run()
    {
        open();
        const uint32_t tiles = rows * columns;
        const uint32_t stride = cube.cores();
        uint32_t slot = 0;
        uint32_t tile = cube.core();
        Area at{0, 0, 0, 0};
        if (tile < tiles) {
            at = area(tile);
            load(at, 0, slot);
        }
        for (; tile < tiles; tile += stride) {
            const bool more = tile + stride < tiles;
            const Area next = more ? area(tile + stride) : at;
            if constexpr (!Tiling::unit_flag) {
                cube.template wait<Flag::C_FREE>(0);
            }
            for (uint32_t step = 0; step < depth; ++step) {
                if (step + 1 < depth) {
                    load(at, step + 1, slot ^ 1u);
                } else if (more) {
                    load(next, 0, slot ^ 1u);
                }
                multiply(at, step, slot);
                slot ^= 1u;
            }
            store(at);
            at = next;
        }
        close();
    }

private:
    // A tile of C in elements; the last row and column of tiles may be smaller.
    struct Area {
        uint32_t row, column, height, width;
    };

    // A part of k: its start and length in elements.
    struct Span {
        uint32_t start, length;
    };

    GEMM_DEVICE Area area(uint32_t tile) const
    {
        const TileAt at = tile_at<Tiling::swizzle_offset, Tiling::swizzle_direction>(tile, rows, columns);
        const uint32_t row = at.row * Tiling::tile_m;
        const uint32_t column = at.column * Tiling::tile_n;
        return Area{row, column, cut(shape.m - row, Tiling::tile_m), cut(shape.n - column, Tiling::tile_n)};
    }

    GEMM_DEVICE Span span(uint32_t step) const
    {
        uint32_t part = step;
        if constexpr (Tiling::shuffle_k) {
            part += first_part;
            part = part < depth ? part : part - depth;
        }
        const uint32_t start = part * Tiling::l1_k;
        return Span{start, cut(shape.k - start, Tiling::l1_k)};
    }

    GEMM_DEVICE static uint32_t cut(uint32_t left, uint32_t most)
    {
        return left < most ? left : most;
    }

    // Everything is free before the first tile.
    GEMM_DEVICE void open()
    {
        cube.open();
        for (uint32_t slot = 0; slot < 2; ++slot) {
            cube.template set<Flag::A_FREE>(slot);
            cube.template set<Flag::B_FREE>(slot);
            cube.template set<Flag::L0_FREE>(slot);
        }
        if constexpr (!Tiling::unit_flag) {
            cube.template set<Flag::C_FREE>(0);
        }
    }

    // Takes back what open() and the last uses left set: a flag left behind would mislead the next kernel.
    GEMM_DEVICE void close()
    {
        for (uint32_t slot = 0; slot < 2; ++slot) {
            cube.template wait<Flag::A_FREE>(slot);
            cube.template wait<Flag::B_FREE>(slot);
            cube.template wait<Flag::L0_FREE>(slot);
        }
        if constexpr (!Tiling::unit_flag) {
            cube.template wait<Flag::C_FREE>(0);
        }
        cube.close();
    }

    GEMM_DEVICE void load(Area const& at, uint32_t step, uint32_t slot)
    {
        const Span part = span(step);
        const bool b_first = Tiling::abba && step % 2 == 1;
        if (b_first) {
            load_b(at, part, slot);
        }
        cube.template wait<Flag::A_FREE>(slot);
        cube.load_a(slot, at.row, at.height, part.start, part.length);
        cube.template set<Flag::A_READY>(slot);
        if (!b_first) {
            load_b(at, part, slot);
        }
    }

    GEMM_DEVICE void load_b(Area const& at, Span const& part, uint32_t slot)
    {
        cube.template wait<Flag::B_FREE>(slot);
        cube.load_b(slot, at.column, at.width, part.start, part.length);
        cube.template set<Flag::B_READY>(slot);
    }

    // Multiplies one L1 step into the tile of C, in L0 steps.
    GEMM_DEVICE void multiply(Area const& at, uint32_t step, uint32_t slot)
    {
        const uint32_t length = span(step).length;
        const uint32_t parts = (length + Tiling::l0_k - 1) / Tiling::l0_k;
        for (uint32_t part = 0; part < parts; ++part) {
            const bool last = part + 1 == parts;
            const Span piece{part * Tiling::l0_k, cut(length - part * Tiling::l0_k, Tiling::l0_k)};
            const bool b_first = Tiling::abba && (step + part) % 2 == 1;
            cube.template wait<Flag::L0_FREE>(stage);
            if (b_first) {
                feed_b(at, piece, slot, part == 0, last);
            }
            feed_a(at, piece, slot, part == 0, last);
            if (!b_first) {
                feed_b(at, piece, slot, part == 0, last);
            }
            cube.template set<Flag::L0_READY>(stage);
            cube.template wait<Flag::L0_READY>(stage);
            cube.multiply(stage, at.height, at.width, piece.length, step == 0 && part == 0, unit(last && step + 1 == depth));
            cube.template set<Flag::L0_FREE>(stage);
            stage ^= 1u;
        }
    }

    GEMM_DEVICE static Unit unit(bool complete)
    {
        if constexpr (!Tiling::unit_flag) {
            return Unit::OFF;
        }
        return complete ? Unit::PASS : Unit::HOLD;
    }

    GEMM_DEVICE void feed_a(Area const& at, Span const& piece, uint32_t slot, bool first, bool last)
    {
        if (first) {
            cube.template wait<Flag::A_READY>(slot);
        }
        cube.feed_a(stage, slot, piece.start, at.height, piece.length);
        if (last) {
            cube.template set<Flag::A_FREE>(slot);
        }
    }

    GEMM_DEVICE void feed_b(Area const& at, Span const& piece, uint32_t slot, bool first, bool last)
    {
        if (first) {
            cube.template wait<Flag::B_READY>(slot);
        }
        cube.feed_b(stage, slot, piece.start, at.width, piece.length);
        if (last) {
            cube.template set<Flag::B_FREE>(slot);
        }
    }

    GEMM_DEVICE void store(Area const& at)
    {
        if constexpr (Tiling::unit_flag) {
            cube.store(at.row, at.column, at.height, at.width, Unit::PASS);
        } else {
            cube.template set<Flag::C_READY>(0);
            cube.template wait<Flag::C_READY>(0);
            cube.store(at.row, at.column, at.height, at.width, Unit::OFF);
            cube.template set<Flag::C_FREE>(0);
        }
    }

    Binding& cube;
    const Shape shape;
    const uint32_t rows, columns, depth; // of the problem, in tiles
    const uint32_t first_part;           // along k, with shuffle_k
    uint32_t stage{0};
};

} // namespace ascend_tune
