/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sluice show matrix: a matrix' pattern, and the exchange that a partition
 * needs. */
#include "cli/show.h"

#include "cli/cli.h"
#include "base/json.h"
#include "cli/document.h"
#include "cli/volume.h"
#include "workloads/matrix.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct request {
    unsigned gpus, gpus_per_node; /* gpus is 0 for the matrix alone */
    uint64_t value_bytes;         /* 0 if not given */
    const char *partition;
    bool json, messages;
};

/* The results for one matrix and its exchange. */
struct facts {
    const char *name, *partition;
    uint32_t rcm_bandwidth; /* 0 if not asked for */
    uint32_t rows;
    struct matrix_stats matrix;
    struct halo halo;
    struct halo_stats exchange;
    uint64_t max_rows_per_gpu, max_nnz_per_gpu;
};

/* A line of the exchange, the same in the table and in JSON. */
struct line {
    const char *label, *key;
    bool bytes; /* bytes, otherwise a count */
    uint64_t most;
    uint64_t sum, of; /* the mean is sum / of */
};
enum { NLINES = 14 };

static void exchange_lines(const struct facts *f, struct line lines[NLINES])
{
    const struct halo_stats *x = &f->exchange;
    uint64_t b = f->halo.value_bytes;
    uint64_t gpus = f->halo.ngpus, nodes = halo_nodes(&f->halo);
    const struct line all[] = {
        {"rows of a GPU", "rows_per_gpu", false, f->max_rows_per_gpu,
         f->halo.rows, gpus},
        {"nonzeros of a GPU", "nonzeros_per_gpu", false, f->max_nnz_per_gpu,
         f->halo.nnz, gpus},
        {"GPUs that a GPU sends to", "gpus_per_gpu", false,
         x->max_messages_per_gpu, x->messages, gpus},
        {"volume of a GPU", "bytes_per_gpu", true, x->max_values_per_gpu * b,
         x->values * b, gpus},
        {"off-node GPUs that a GPU sends to", "off_node_gpus_per_gpu", false,
         x->max_off_node_messages_per_gpu, x->off_node_messages, gpus},
        {"off-node volume of a GPU", "off_node_bytes_per_gpu", true,
         x->max_off_node_values_per_gpu * b, x->off_node_values * b, gpus},
        {"  without duplicates", "off_node_bytes_per_gpu_dedup", true,
         x->max_off_node_values_per_gpu_dedup * b, x->off_node_values_dedup * b,
         gpus},
        {"nodes that a GPU sends to", "nodes_per_gpu", false,
         x->max_nodes_per_gpu, x->gpu_node_pairs, gpus},
        {"nodes that a node sends to", "nodes_per_node", false,
         x->max_nodes_per_node, x->node_pairs, nodes},
        {"volume that a node injects", "bytes_per_node", true,
         x->max_values_per_node * b, x->off_node_values * b, nodes},
        {"  without duplicates", "bytes_per_node_dedup", true,
         x->max_values_per_node_dedup * b, x->off_node_values_dedup * b, nodes},
        {"messages from node to node", "messages_node_to_node", false,
         x->max_messages_node_to_node, x->off_node_messages, x->node_pairs},
        {"volume from node to node", "bytes_node_to_node", true,
         x->max_values_node_to_node * b, x->off_node_values * b, x->node_pairs},
        {"  without duplicates", "bytes_node_to_node_dedup", true,
         x->max_values_node_to_node_dedup * b, x->off_node_values_dedup * b,
         x->node_pairs},
    };
    _Static_assert(sizeof all == NLINES * sizeof *lines, "every line");

    memcpy(lines, all, sizeof all);
}

static double ratio(uint64_t a, uint64_t b)
{
    return b ? (double)a / (double)b : 0;
}

static void show_matrix_print(const struct facts *f)
{
    const struct matrix_stats *m = &f->matrix;

    printf("%-38s %s\n", "matrix", f->name);
    printf("%-38s %u\n", "rows", f->rows);
    printf("%-38s %llu\n", "nonzeros", (unsigned long long)m->nnz);
    printf("%-38s %s\n", "pattern",
           m->symmetric ? "symmetric" : "not symmetric");
    printf("%-38s %llu to %llu, mean %.2f\n", "nonzeros of a row",
           (unsigned long long)m->min_row, (unsigned long long)m->max_row,
           m->mean_row);
    printf("%-38s %u\n", "bandwidth (largest |row - column|)", m->bandwidth);
    if (f->rcm_bandwidth)
        printf("%-38s %u\n", "bandwidth in rcm order", f->rcm_bandwidth);
    printf("%-38s %.1f\n", "mean span of a row", m->mean_span);
}

static void print_line(const struct line *l)
{
    char most[32], mean[32];
    double average = ratio(l->sum, l->of);

    if (l->bytes) {
        volume(most, (double)l->most);
        volume(mean, average);
    } else {
        snprintf(most, sizeof most, "%llu", (unsigned long long)l->most);
        snprintf(mean, sizeof mean, "%.1f", average);
    }
    printf("%-38s %12s %12s\n", l->label, most, mean);
}

static void print_totals(const struct facts *f)
{
    const struct halo_stats *x = &f->exchange;
    double b = f->halo.value_bytes;
    char all[32], off[32];

    printf("%-38s %12s %12s\n", "", "all", "off node");
    printf("%-38s %12llu %12llu\n", "messages from GPU to GPU",
           (unsigned long long)x->messages,
           (unsigned long long)x->off_node_messages);
    printf("%-38s %12llu %12llu\n", "values in them",
           (unsigned long long)x->values,
           (unsigned long long)x->off_node_values);
    printf("%-38s %12s %12s\n", "volume", volume(all, (double)x->values * b),
           volume(off, (double)x->off_node_values * b));
    printf("%-38s %12s %12s\n", "  without duplicates", "",
           volume(off, (double)x->off_node_values_dedup * b));
    printf("%-38s %12s %12llu\n", "values for several GPUs of one node", "",
           (unsigned long long)x->off_node_values_shared);
    printf("%-38s %12s %10.1f %%\n", "  of the values without duplicates", "",
           100 * ratio(x->off_node_values_shared, x->off_node_values_dedup));
}

static void print_exchange(const struct facts *f)
{
    const struct halo *h = &f->halo;
    struct line lines[NLINES];

    printf("\n%u GPUs on %u nodes of %u, %s rows, values of %u bytes\n\n",
           h->ngpus, halo_nodes(h), h->gpus_per_node, f->partition,
           h->value_bytes);
    print_totals(f);
    printf("\n%-38s %12s %12s\n", "", "most", "mean");
    exchange_lines(f, lines);
    for (size_t i = 0; i < NLINES; i++)
        print_line(&lines[i]);
}

static struct json *matrix_json(const struct facts *f)
{
    struct json *o = json_new_object();

    json_add_string(o, "name", f->name);
    json_add_number(o, "rows", f->rows);
    json_add_number(o, "nonzeros", (double)f->matrix.nnz);
    json_add_bool(o, "symmetric", f->matrix.symmetric);
    json_add_number(o, "min_row_nonzeros", (double)f->matrix.min_row);
    json_add_number(o, "mean_row_nonzeros", f->matrix.mean_row);
    json_add_number(o, "max_row_nonzeros", (double)f->matrix.max_row);
    json_add_number(o, "bandwidth", f->matrix.bandwidth);
    if (f->rcm_bandwidth)
        json_add_number(o, "rcm_bandwidth", f->rcm_bandwidth);
    json_add_number(o, "mean_span", f->matrix.mean_span);
    return o;
}

static struct json *exchange_json(const struct facts *f)
{
    const struct halo_stats *x = &f->exchange;
    double b = f->halo.value_bytes;
    struct json *o = json_new_object();
    struct line lines[NLINES];

    json_add_number(o, "gpus", f->halo.ngpus);
    json_add_number(o, "gpus_per_node", f->halo.gpus_per_node);
    json_add_number(o, "nodes", halo_nodes(&f->halo));
    json_add_string(o, "partition", f->partition);
    json_add_number(o, "value_bytes", b);
    json_add_number(o, "messages", (double)x->messages);
    json_add_number(o, "values", (double)x->values);
    json_add_number(o, "bytes", (double)x->values * b);
    json_add_number(o, "off_node_messages", (double)x->off_node_messages);
    json_add_number(o, "off_node_values", (double)x->off_node_values);
    json_add_number(o, "off_node_bytes", (double)x->off_node_values * b);
    json_add_number(o, "off_node_values_dedup",
                    (double)x->off_node_values_dedup);
    json_add_number(o, "off_node_bytes_dedup",
                    (double)x->off_node_values_dedup * b);
    json_add_number(o, "off_node_values_shared",
                    (double)x->off_node_values_shared);
    exchange_lines(f, lines);
    for (size_t i = 0; i < NLINES; i++) {
        struct json *l = json_new_object();
        json_add_number(l, "most", (double)lines[i].most);
        json_add_number(l, "mean", ratio(lines[i].sum, lines[i].of));
        json_add(o, lines[i].key, l);
    }
    return o;
}

static void show_matrix_print_json(const struct facts *f)
{
    struct json *doc = document_new("show matrix");

    json_add(doc, "matrix", matrix_json(f));
    if (f->halo.ngpus)
        json_add(doc, "exchange", exchange_json(f));
    document_print(doc);
}

static void print_messages(const struct halo *h)
{
    struct halo all;

    halo_spell_out(&all, h);
    puts("sender_gpu,receiver_gpu,sender_node,receiver_node,values,bytes");
    for (uint32_t i = 0; i < all.nclasses; i++) {
        const struct halo_class *c = &all.classes[i];
        uint32_t bit = gpu_set_first(c->dst_mask);
        printf("%u,%u,%u,%u,%llu,%llu\n", c->src,
               c->dst_node * all.gpus_per_node + bit,
               c->src / all.gpus_per_node, c->dst_node,
               (unsigned long long)c->count,
               (unsigned long long)c->count * all.value_bytes);
    }
    halo_clear(&all);
}

static int find_exchange(struct facts *f, const struct matrix *m,
                         const struct request *r, struct err *err)
{
    if (partition_check(r->partition, err) < 0)
        return fail_in(err, "--partition");
    if (!r->gpus)
        return 0;

    if (matrix_halo_by(&f->halo, m, r->partition, r->gpus, r->gpus_per_node,
                       err) < 0)
        return -1;
    if (halo_set_value_bytes(&f->halo, r->value_bytes, err) < 0) {
        halo_clear(&f->halo);
        return -1;
    }

    halo_stats(&f->halo, &f->exchange);
    for (uint32_t g = 0; g < f->halo.ngpus; g++) {
        if (f->halo.gpu_rows[g] > f->max_rows_per_gpu)
            f->max_rows_per_gpu = f->halo.gpu_rows[g];
        if (f->halo.gpu_nnz[g] > f->max_nnz_per_gpu)
            f->max_nnz_per_gpu = f->halo.gpu_nnz[g];
    }
    return 0;
}

static int show_matrix_words(const struct matrix *m, const struct request *r,
                             struct err *err)
{
    struct facts f = {
        .name = m->name, .partition = r->partition, .rows = m->rows};

    if (find_exchange(&f, m, r, err) < 0)
        return -1;
    if (r->messages) {
        print_messages(&f.halo);
    } else {
        matrix_stats(m, &f.matrix);
        if (!strcmp(r->partition, "rcm"))
            f.rcm_bandwidth = matrix_rcm_bandwidth(m);
        if (r->json)
            show_matrix_print_json(&f);
        else
            show_matrix_print(&f);
        if (!r->json && r->gpus)
            print_exchange(&f);
    }
    halo_clear(&f.halo);
    return 0;
}

/* Reads the operand; a word that does not begin with a workload's prefix is a
 * file. */
static int read_operand(struct matrix *m, const char *word, struct err *err)
{
    static const char *const known[] = {
        "spmv:", "stencil:", "random:", "surrogate:"};

    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (!strncmp(word, known[i], strlen(known[i])))
            return matrix_from_workload(m, word, err);
    return matrix_read(m, word, err);
}

static const struct opts_page page = {
    .usage = "show matrix FILE|WORKLOAD [OPTIONS]",
    .about =
        "Shows a sparse matrix, and the halo exchange of its product with a "
        "vector. FILE is a MatrixMarket file (.mtx, .mtx.gz); WORKLOAD is one "
        "of:\n"
        "  spmv:FILE\n"
        "  stencil:5pt:NXxNY (also 9pt; 7pt and 27pt with NXxNYxNZ)\n"
        "  random:rows=N,row_nnz=K,seed=S\n"
        "  surrogate:NAME\n",
    .examples = {{"Show the halo exchange of a stencil on 16 GPUs",
                  "sluice show matrix stencil:9pt:400x400 --gpus 16"}},
};

int show_matrix(int argc, char **argv, struct err *err)
{
    struct request r = {.gpus_per_node = 4};
    const struct opt opts[] = {
        {"gpus", OPT_COUNT, &r.gpus, "N",
         "also show the halo exchange among N GPUs"},
        {"gpus-per-node", OPT_COUNT, &r.gpus_per_node, "N",
         "GPUs per node, at most 32 [default: 4]"},
        {"partition", OPT_TEXT, &r.partition, "HOW",
         "partition of the rows: contiguous, metis, rcm, boxes, "
         "boxes:NXxNYxNZ or a file [default: contiguous]"},
        {"value-bytes", OPT_BYTES, &r.value_bytes, "BYTES",
         "size of one exchanged value; 8*k for k right-hand sides [default: "
         "8]"},
        {"json", OPT_FLAG, &r.json, NULL, "results as JSON"},
        {"messages", OPT_FLAG, &r.messages, NULL,
         "only the messages from GPU to GPU, as CSV"},
    };
    struct matrix m = {0};
    int noperands;
    bool helped;

    if (opts_parse(argc, argv, opts, sizeof opts / sizeof opts[0], &page,
                   &noperands, &helped, err) < 0)
        return -1;
    if (helped)
        return 0;
    if (noperands != 1)
        return fail(err, "show matrix: expected one file or workload, got %d",
                    noperands);
    if (r.messages && (r.json || !r.gpus))
        return fail(err, "--messages: expected with --gpus and without --json");
    if (r.value_bytes && !r.gpus)
        return fail(err, "--value-bytes: expected with --gpus");
    if (!r.partition)
        r.partition = "contiguous";
    if (read_operand(&m, argv[1], err) < 0)
        return -1;

    int rc = show_matrix_words(&m, &r, err);
    matrix_clear(&m);
    return rc;
}
