/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as a partition of four rows on two GPUs: it is refused in one line,
 * or has a part below two for each row, and no part is empty. */
#include "tests/fuzz/memory_file.h"
#include "workloads/parts.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint32_t part[4] = {9, 9, 9, 9}, rows[2] = {0};
    struct memory_file f;
    struct err err = {0};

    memory_file_open(&f, data, size);
    if (parts_read(part, 4, 2, f.path, "rows", &err) == 0) {
        for (int i = 0; i < 4; i++) {
            if (part[i] > 1)
                abort();
            rows[part[i]]++;
        }
        if (!rows[0] || !rows[1])
            abort();
    } else if (!err.text[0] || strchr(err.text, '\n')) {
        abort();
    }
    memory_file_close(&f);
    return 0;
}
