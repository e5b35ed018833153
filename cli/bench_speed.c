/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tells how fast the machine is now by two loops, one of memory and one of
 * computing: seconds of different days, or hours, are of different machines. */
#include "cli/bench.h"

#include <stdint.h>
#include <stdlib.h>
#include <time.h>

enum { TABLE = 1 << 24, READS = 400000, PRODUCTS = 40000000 };

/* Of this thread: what others take does not count, but for what they share. */
static double cpu_s(void)
{
    struct timespec t;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Each product waits for the one before. */
static uint64_t bench_multiply(uint64_t x, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        x = x * UINT64_C(6364136223846793005) + 1442695040888963407;
    return x;
}

/* Each read waits for the one before, somewhere in the table. */
static uint32_t bench_read(const uint32_t *table, unsigned n)
{
    uint32_t at = 0;

    for (unsigned i = 0; i < n; i++)
        at = (table[at] + i) % TABLE;
    return at;
}

void bench_speed(struct bench *b)
{
    uint32_t *table = xmalloc(TABLE * sizeof *table), random = 1;
    double load = 0;

    for (size_t i = 0; i < TABLE; i++) {
        random = random * 1664525 + 1013904223;
        table[i] = random >> 4;
    }
    double begin = cpu_s();
    uint64_t seen = bench_read(table, READS);
    double read_s = cpu_s() - begin;
    begin = cpu_s();
    seen += bench_multiply(seen, PRODUCTS);
    double multiply_s = cpu_s() - begin;
    __asm__ volatile("" : : "r"(seen)); /* so that it is computed */
    free(table);
    struct json *speed = json_new_object();
    json_add_number(speed, "random_read_s", read_s / READS);
    json_add_number(speed, "product_s", multiply_s / PRODUCTS);
    bench_text(b,
               "machine: %.1f ns a random read in %zu MiB, %.2f ns a product "
               "and sum",
               read_s / READS * 1e9, TABLE * sizeof *table >> 20,
               multiply_s / PRODUCTS * 1e9);
    if (getloadavg(&load, 1) == 1) {
        json_add_number(speed, "load", load);
        bench_text(b, "; load %.1f", load);
    }
    bench_text(b, "\n");
    if (b->doc)
        json_add(b->doc, "speed", speed);
    else
        json_free(speed);
}
