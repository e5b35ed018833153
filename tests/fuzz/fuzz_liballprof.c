/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as a file of a liballprof trace, of one rank: in a folder of its
 * own, because the reader looks there for the files of other ranks. */
#include "tests/fuzz/trace_bytes.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char folder[] = "/tmp/sluice-fuzz.XXXXXX", *file;

static void take_away(void)
{
    unlink(file);
    rmdir(folder);
    free(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!file) {
        if (!mkdtemp(folder))
            abort();
        file = xasprintf("%s/rank", folder);
        atexit(take_away);
    }
    FILE *f = fopen(file, "wb");
    if (!f || fwrite(data, 1, size, f) != size || fclose(f) != 0)
        abort();
    fuzz_trace_path("liballprof", file);
    return 0;
}
