/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measures the present speed of the machine with two loops, one bound by memory
 * and one by arithmetic, because seconds of different days, or hours, can be
 * those of different machines. */
#include "cli/bench.h"

#include <stdint.h>
#include <stdlib.h>
#include <time.h>

enum { TABLE = 1 << 24, READS = 400000, PRODUCTS = 40000000 };

/* Returns the CPU time of this thread, so that other processes only count as
 * far as they share caches and memory. */
static double cpu_s(void)
{
    struct timespec t;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Multiplies n times; each product depends on the one before. */
static uint64_t bench_multiply(uint64_t x, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        x = x * UINT64_C(6364136223846793005) + 1442695040888963407;
    return x;
}

/* Reads n places of the table; each depends on the one before. */
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
    /* This keeps the compiler from removing the loops. */
    __asm__ volatile("" : : "r"(seen));
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
