/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes must be refused or give a matrix whose numbers are in range. */
#include "workloads/matrix.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const struct matrix *m)
{
    if (!m->rows || m->row_ptr[0] != 0)
        abort();
    for (uint32_t row = 0; row < m->rows; row++)
        if (m->row_ptr[row] > m->row_ptr[row + 1])
            abort();
    for (uint64_t k = 0; k < m->row_ptr[m->rows]; k++)
        if (m->col[k] >= m->rows)
            abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct matrix m = {0};
    struct err err = {0};
    char path[64];
    int fd = memfd_create("matrix", 0);

    if (fd < 0 || write(fd, data, size) != (ssize_t)size)
        return 0;
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    if (matrix_read(&m, path, &err) == 0)
        check(&m);
    else if (!err.text[0] || strchr(err.text, '\n') || m.row_ptr)
        abort();
    matrix_clear(&m);
    close(fd);
    return 0;
}
