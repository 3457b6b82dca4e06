// The order in which the cores walk over the tiles of C. Integer arithmetic only; the same on the device and on the host.
//
// The tiles are taken in groups of `offset` rows (direction 0) or columns (direction 1). Inside a group the walk goes
// across the group first, then along it, and every other group is walked backwards, so that neighbours in time share
// operands in L2. This is the order of CATLASS's GemmIdentityBlockSwizzle
// (hicann/catlass:include/catlass/gemm/block/block_swizzle.hpp), written again so that it can be checked without CATLASS.
#pragma once

#include <cstdint>

#ifndef GEMM_DEVICE
#define GEMM_DEVICE inline
#endif

namespace ascend_tune {

// Row and column of a tile, counted in tiles.
struct TileAt {
    uint32_t row;
    uint32_t column;
};

// Position `index` of a walk over `length` x `width` tiles in groups of `offset` along the width.
// Returns {along the length, along the width}.
template <uint32_t offset>
GEMM_DEVICE TileAt walk(uint32_t index, uint32_t length, uint32_t width)
{
    const uint32_t group = index / (offset * length);
    const uint32_t inside = index % (offset * length);
    const uint32_t left = width - group * offset;
    const uint32_t across = left < offset ? left : offset;
    const uint32_t along = inside / across;
    return TileAt{group % 2 == 1 ? length - 1 - along : along, group * offset + inside % across};
}

// Tile number `index` of a C of `rows` x `columns` tiles.
template <uint32_t offset, uint32_t direction>
GEMM_DEVICE TileAt tile_at(uint32_t index, uint32_t rows, uint32_t columns)
{
    static_assert(offset >= 1, "a group holds at least one row or column of tiles");
    static_assert(direction <= 1, "direction is 0 (groups of rows) or 1 (groups of columns)");
    if constexpr (direction == 0) {
        const TileAt at = walk<offset>(index, columns, rows);
        return TileAt{at.column, at.row};
    } else {
        return walk<offset>(index, rows, columns);
    }
}

} // namespace ascend_tune
