/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Any line as the words of a generated workload, a matrix, a graph or random
 * messages: it is refused in one line, or made. Words that ask for more than a
 * small graph are only tried if they are so absurd that they must be refused.
 */
#include "tests/fuzz/memory_file.h"
#include "workloads/exchange.h"
#include "workloads/graph/graph_generate.h"
#include "workloads/matrix.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum {
    MOST_BYTES = 200,
    MOST_SIZE = 20000, /* product of all numbers */
    ABSURD_DIGITS = 16,
    MOST_SCALE = 9,
    MOST_RANKS = 64,
};

static bool starts(const char *text, const char *with)
{
    return !strncmp(text, with, strlen(with));
}

/* Returns whether all numbers are small, or have more digits than any machine
 * has room for. */
static bool affordable(const char *words)
{
    double size = 1;

    for (const char *at = words; *at;) {
        bool scale = at - words >= 6 && starts(at - 6, "scale=");
        while (*at == '0')
            at++;
        size_t digits = strspn(at, "0123456789");
        if (digits && digits < ABSURD_DIGITS) {
            double v = strtod(at, NULL);
            size *= v > 1 ? v : 1;
            if (scale && v > MOST_SCALE)
                return false;
        }
        at += digits ? digits : *at != 0;
    }
    return size <= MOST_SIZE && !starts(words, "standin:");
}

static void check_error(const struct err *err)
{
    if (!err->text[0] || strchr(err->text, '\n'))
        abort();
}

static void check_graph(const struct graph *g)
{
    if (!g->n || !g->name || g->first[0] != 0)
        abort();
    for (uint32_t v = 0; v < g->n; v++)
        for (uint64_t k = g->first[v]; k < g->first[v + 1]; k++)
            if (g->to[k] >= g->n || g->to[k] == v ||
                (k > g->first[v] && g->to[k] <= g->to[k - 1]))
                abort();
}

static void try_graph(const char *words)
{
    struct graph g = {0};
    struct err err = {0};

    if (!graph_generator_of(words))
        return;
    if (graph_from_words(&g, words, &err) == 0)
        check_graph(&g);
    else
        check_error(&err);
    graph_clear(&g);
}

static void try_matrix(const char *words)
{
    struct matrix m = {0};
    struct err err = {0};

    if (starts(words, "spmv:"))
        return;
    if (matrix_from_workload(&m, words, &err) < 0) {
        check_error(&err);
        return;
    }
    for (uint32_t row = 0; row < m.rows; row++)
        for (uint64_t k = m.row_ptr[row]; k < m.row_ptr[row + 1]; k++)
            if (m.col[k] >= m.rows)
                abort();
    matrix_clear(&m);
}

static void try_exchange(const char *words)
{
    struct exchange x;
    struct err err = {0};

    if (exchange_draw(&x, words, MOST_RANKS, &err) < 0) {
        check_error(&err);
        return;
    }
    for (size_t i = 0; i < x.nmsgs; i++)
        if (x.msgs[i].src >= x.ranks || x.msgs[i].dst >= x.ranks ||
            x.msgs[i].src == x.msgs[i].dst || x.msgs[i].round >= x.rounds)
            abort();
    exchange_clear(&x);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char words[MOST_BYTES + 1] = "";

    memcpy(words, data, size < MOST_BYTES ? size : MOST_BYTES);
    words[strcspn(words, "\n")] = 0;
    if (affordable(words)) {
        try_graph(words);
        try_matrix(words);
        try_exchange(words);
    }
    return 0;
}
