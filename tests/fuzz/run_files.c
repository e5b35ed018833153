/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs a fuzzer, without fuzzing, on each of the files named, because its
 * earlier findings are to be tested under every compiler. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int run_file(const char *path)
{
    static uint8_t data[1 << 20];
    FILE *f = fopen(path, "rb");

    if (!f) {
        perror(path);
        return 1;
    }
    size_t n = fread(data, 1, sizeof data, f);
    fclose(f);
    LLVMFuzzerTestOneInput(data, n);
    return 0;
}

int main(int argc, char **argv)
{
    int bad = argc < 2;

    for (int i = 1; i < argc; i++)
        bad |= run_file(argv[i]);
    printf("%d files\n", argc - 1);
    return bad;
}
