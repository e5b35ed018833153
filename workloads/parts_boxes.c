/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Divides a grid of points into boxes, one per part. */
#include "workloads/parts.h"

#include "base/number.h"

#include <string.h>

bool parts_read_grid(uint32_t grid[3], const char *text)
{
    uint64_t n;

    grid[0] = grid[1] = grid[2] = 1;
    for (int d = 0; d < 3; d++) {
        text = number_take_whole(text, &n);
        if (!text || !n || n > UINT32_MAX)
            return false;
        grid[d] = (uint32_t)n;
        if (!*text)
            return true;
        if (*text++ != 'x')
            return false;
    }
    return false;
}

/* Returns the number of pairs of neighbours that these blocks separate. */
static double boxes_cut(const uint32_t grid[3], const uint32_t blocks[3])
{
    double nx = grid[0], ny = grid[1], nz = grid[2];

    return (blocks[0] - 1) * ny * nz + (blocks[1] - 1) * nx * nz +
           (blocks[2] - 1) * nx * ny;
}

/* Chooses the number of blocks per axis. Returns false if no division has
 * nparts boxes. */
static bool choose_blocks(uint32_t best[3], const uint32_t grid[3],
                          uint32_t nparts)
{
    bool found = false;

    for (uint32_t x = 1; x <= nparts && x <= grid[0]; x++) {
        if (nparts % x)
            continue;
        for (uint32_t y = 1; y <= nparts / x && y <= grid[1]; y++) {
            const uint32_t blocks[3] = {x, y, nparts / x / y};
            if (nparts / x % y || blocks[2] > grid[2])
                continue;
            if (found && boxes_cut(grid, blocks) >= boxes_cut(grid, best))
                continue;
            memcpy(best, blocks, sizeof blocks);
            found = true;
        }
    }
    return found;
}

/* Returns the block of point i among the blocks of n points, as in
 * parts_contiguous(). */
static uint32_t block_of(uint32_t i, uint32_t n, uint32_t blocks)
{
    uint32_t size = n / blocks, longer = n % blocks;

    if (i / (size + 1) < longer)
        return i / (size + 1);
    return longer + (i - longer * (size + 1)) / size;
}

int parts_boxes(uint32_t *part, const uint32_t grid[3], uint32_t per_point,
                uint32_t nparts, struct err *err)
{
    uint32_t blocks[3];
    uint64_t row = 0;

    if (!choose_blocks(blocks, grid, nparts))
        return fail(err,
                    "a grid of %ux%ux%u points: no way to cut it into %u "
                    "boxes",
                    grid[0], grid[1], grid[2], nparts);
    for (uint32_t z = 0; z < grid[2]; z++)
        for (uint32_t y = 0; y < grid[1]; y++) {
            uint32_t line = (block_of(z, grid[2], blocks[2]) * blocks[1] +
                             block_of(y, grid[1], blocks[1])) *
                            blocks[0];
            for (uint32_t x = 0; x < grid[0]; x++)
                for (uint32_t k = 0; k < per_point; k++)
                    part[row++] = line + block_of(x, grid[0], blocks[0]);
        }
    return 0;
}
