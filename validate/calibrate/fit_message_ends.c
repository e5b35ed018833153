/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the CPU time of a message's two ends into the segments between nodes
 * (by mult_pong), and the time of a GPU message's receiver on a node (by copies
 * between GPUs). */
#include "base/number.h"
#include "platforms/platform.h"
#include "validate/calibrate/fit_ends.h"
#include "validate/calibrate/fit_parts.h"
#include "validate/measure/benchmark.h"

#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* These keys are replaced together, so that every file has them in one order.
 */
#define END_KEYS                                                               \
    ((const char *const[]){"alpha_shares", "beta_shares", SEGMENT_KEY(send_s), \
                           SEGMENT_KEY(recv_s), SEGMENT_KEY(send_s_per_B),     \
                           SEGMENT_KEY(recv_s_per_B), "rendezvous",            \
                           "buffer_free", SEGMENT_KEY(ack_s),                  \
                           "receiver_copies"})
enum { NEND_KEYS = 10 };

struct end_sizes {
    uint64_t above, to; /* bytes; above: not included, except for the first */
    bool first;
};

static bool is_alone(const struct measured_point *p, const void *arg)
{
    (void)arg;
    return !p->x.other_rack && p->x.messages == 1;
}

static bool of_sizes(const struct measured_point *p, const void *arg)
{
    const struct end_sizes *s = arg;

    return !p->x.other_rack && p->x.messages >= 2 && p->x.bytes <= s->to &&
           (s->first || p->x.bytes > s->above);
}

/* --- writing -------------------------------------------------------------- */

/* Writes the ends of s, which has rounded numbers. */
static void put_ends(struct json *o, const struct segment *s)
{
    for (size_t i = 0; i < NEND_KEYS; i++)
        json_remove(o, END_KEYS[i]);
    json_replace(o, "protocol", json_new_string(protocol_names[s->protocol]));
    json_add_number(o, SEGMENT_KEY(send_s),
                    number_four_digits(s->send_s * 1e6));
    json_add_number(o, SEGMENT_KEY(recv_s),
                    number_four_digits(s->recv_s * 1e6));
    if (s->send_s_per_B > 0) {
        json_add_number(o, SEGMENT_KEY(send_s_per_B),
                        number_four_digits(s->send_s_per_B * 1e3 * 1e6));
        json_add_number(o, SEGMENT_KEY(recv_s_per_B),
                        number_four_digits(s->recv_s_per_B * 1e3 * 1e6));
    }
    if (segment_gets(s))
        json_add_string(o, "rendezvous", rendezvous_names[s->rendezvous]);
    if (s->buffer_free == FREE_ACKNOWLEDGED) {
        json_add_string(o, "buffer_free", buffer_free_names[s->buffer_free]);
        json_add_number(o, SEGMENT_KEY(ack_s),
                        number_four_digits(s->ack_s * 1e6));
    }
}

/* Puts a statement about the ends, in addition to that about alpha and beta. */
static void put_ends_source(struct json *o, struct json *statement)
{
    const char *of[NEND_KEYS + 1];
    size_t n = 0;

    for (size_t i = 0; i < NEND_KEYS; i++) {
        const struct json *v = json_member(o, END_KEYS[i]);
        if (json_is_number(v) || json_is_array(v))
            of[n++] = END_KEYS[i];
    }
    of[n] = NULL;
    source_put(o, "source", of, statement);
}

static void end_row(struct fit *f, const char *path, const char *key,
                    double old, const struct ends_number *n, double unit,
                    size_t points, double residual, const char *note)
{
    struct fit_row row = {
        .old = old, .points = points, .residual = residual, .note = note};

    snprintf(row.path, sizeof row.path, "%s.%s", path, key);
    row.fitted.value = number_four_digits(n->value * unit);
    row.fitted.half = unit * fmax(n->to - n->value, n->value - n->from);
    fit_add_row(f, &row);
}

/* --- between nodes -------------------------------------------------------- */

struct table_task {
    struct fit *f;
    const struct message_table *old;
    struct json *segments;
    const char *path;  /* "messages.cpu.off_node" */
    const char *group; /* "mult_pong/cpu" */
    struct mult_pong *benchmark;
    double cpu_s; /* CPU time of an end, in the segments before; NAN if none */
    /* Wire time of eager messages, in the segments before; NAN if none. */
    double wire_s;
    double alone; /* one message of mult_pong, divided by ping-pongs */
};

static void add_rows(struct table_task *t, size_t i, const struct ends_fit *e,
                     size_t points)
{
    const struct segment *old =
        i < t->old->nsegments ? &t->old->segments[i] : NULL;
    char path[112];
    struct fit *f = t->f;

    snprintf(path, sizeof path, "%s.segments.%zu", t->path, i);
    const char *halves =
        "only the sum of both ends is determined: halves assumed";
    const char *taken = "not determined: that of the segment before";
    for (int end = 0; end < 2; end++)
        end_row(f, path, end ? SEGMENT_KEY(recv_s) : SEGMENT_KEY(send_s),
                old ? (end ? old->recv_s : old->send_s) * 1e6 : NAN, &e->cpu_s,
                1e6, points, e->residual, e->cpu_fitted ? halves : taken);
    if (e->s_per_B.value > 0)
        end_row(f, path, SEGMENT_KEY(send_s_per_B),
                old ? old->send_s_per_B * 1e9 : NAN, &e->s_per_B, 1e9, points,
                e->residual, NULL);
    if (e->protocol == ENDS_ACKNOWLEDGED)
        end_row(f, path, SEGMENT_KEY(ack_s), old ? old->ack_s * 1e6 : NAN,
                &e->ack_s, 1e6, points, e->residual, NULL);
}

static void put_found(struct table_task *t, size_t i, const struct ends_fit *e,
                      const struct fit_set *set)
{
    struct json *o = json_at(t->segments, i);
    const char *ends =
        e->cpu_fitted ? ", send and receive: halves of their sum (assumed)"
        : e->cpu_s.value > t->cpu_s
            ? ", send and receive: what alpha has more than the wire's latency "
              "of smaller messages (assumed)"
            : ", send and receive: those of smaller messages";
    char *text =
        xasprintf("%zu medians of 2 and more messages by one alone, %s%s",
                  set->n, ends_protocol_names[e->protocol], ends);
    struct json *statement = source_json(PROVENANCE_FIT, set->from, text);

    json_add_number(statement, "residual_percent", fit_percent(e->residual));
    put_ends(o, &e->segment);
    put_ends_source(o, statement);
    add_rows(t, i, e, set->n);
    free(text);
}

/* Writes the ends of the segment before into one that was not measured, if it
 * is sent in the same way. */
static void put_taken(struct table_task *t, size_t i,
                      enum ends_protocol protocol)
{
    struct json *o = json_at(t->segments, i);
    struct segment s = {.protocol = protocol == ENDS_GET || protocol == ENDS_PUT
                                        ? PROTOCOL_RENDEZVOUS
                                        : PROTOCOL_EAGER,
                        .send_s = t->cpu_s,
                        .recv_s = t->cpu_s,
                        .rendezvous = protocol == ENDS_GET ? RENDEZVOUS_GET
                                                           : RENDEZVOUS_PUT};

    put_ends(o, &s);
    put_ends_source(
        o, source_json(PROVENANCE_ASSUMED, NULL, "those of smaller messages"));
}

/*
 * Returns the time of mult_pong's message alone in ping-pongs of the same size,
 * the median over the sizes. The others are compared with it, because the
 * benchmark's buffers may lie elsewhere than those of a ping-pong (on Lassen
 * all of a node's on one GPU).
 */
static double alone_in_ping_pongs(const struct table_task *t,
                                  const struct message_table *now)
{
    struct fit_set set;
    double ratio = 1;

    fit_gather(&set, t->f, (const char *[]){t->group, NULL}, is_alone, NULL);
    double *ratios = xcalloc(set.n, sizeof *ratios);
    for (size_t k = 0; k < set.n; k++) {
        uint64_t bytes = set.points[k]->x.bytes;
        size_t i = 0;
        while (i + 1 < now->nsegments && bytes > now->segments[i].up_to_B)
            i++;
        ratios[k] = set.points[k]->measured_s /
                    mult_pong_s(t->benchmark, &now->segments[i], bytes, 1);
    }
    if (set.n)
        ratio = gsl_stats_median(ratios, 1, set.n);
    free(ratios);
    fit_set_clear(&set);
    return ratio;
}

/* Fits the ends of eager messages. If a blocking sender waits for an
 * acknowledgement, its messages show how long it waits, and not how long its
 * CPU is busy. Their wire is that of smaller messages, so that the rest of
 * alpha is assumed to be that of the ends. */
static void ends_of_eager(struct table_task *t, struct ends_fit *e,
                          const struct segment *segment,
                          const struct mult_pong_point *points, size_t n)
{
    double cpu_s = (segment->alpha_s - t->wire_s) / 2;
    struct ends_fit other;

    if (e->protocol != ENDS_ACKNOWLEDGED || e->cpu_fitted ||
        !(cpu_s > t->cpu_s))
        return;
    fit_ends_find(&other, segment, t->benchmark, cpu_s, points, n);
    if (other.protocol == ENDS_ACKNOWLEDGED && !other.cpu_fitted)
        *e = other;
}

static void fit_ends_segment(struct table_task *t, size_t i,
                             const struct segment *segment,
                             const struct fit_set *set,
                             enum ends_protocol *protocol)
{
    struct mult_pong_point *points = xcalloc(set->n, sizeof *points);
    struct ends_fit e;

    for (size_t k = 0; k < set->n; k++)
        points[k] = (struct mult_pong_point){
            set->points[k]->x.bytes, set->points[k]->x.messages,
            set->points[k]->measured_s / t->alone};
    fit_ends_find(&e, segment, t->benchmark, t->cpu_s, points, set->n);
    if (!isnan(t->cpu_s))
        ends_of_eager(t, &e, segment, points, set->n);
    free(points);
    put_found(t, i, &e, set);
    if (isnan(t->wire_s))
        t->wire_s = segment->alpha_s - 2 * e.cpu_s.value;
    if (isnan(t->cpu_s) || e.cpu_fitted)
        t->cpu_s = e.cpu_s.value;
    *protocol = e.protocol;
}

static void fit_ends_table(struct table_task *t,
                           const struct message_table *now)
{
    enum ends_protocol protocol = NENDS_PROTOCOLS;
    struct end_sizes sizes = {.first = true};

    t->alone = alone_in_ping_pongs(t, now);
    for (size_t i = 0; i < now->nsegments; i++) {
        struct fit_set set;
        sizes.to = now->segments[i].up_to_B;
        fit_gather(&set, t->f, (const char *[]){t->group, NULL}, of_sizes,
                   &sizes);
        if (set.n >= 3)
            fit_ends_segment(t, i, &now->segments[i], &set, &protocol);
        else if (protocol < NENDS_PROTOCOLS)
            put_taken(t, i, protocol);
        fit_set_clear(&set);
        sizes.above = sizes.to;
        sizes.first = false;
    }
}

static void between_nodes(struct fit *f, const struct machine *now,
                          enum msg_path path, struct mult_pong *benchmark)
{
    const char *name = msg_path_names[path];
    char place[64], group[64];
    struct json *table =
        json_member(json_member(json_member(f->doc, "messages"), name),
                    locality_names[OFF_NODE]);

    if (!table)
        return;
    snprintf(place, sizeof place, "messages.%s.off_node", name);
    snprintf(group, sizeof group, "mult_pong/%s", name);
    struct table_task t = {.f = f,
                           .old = &f->m->messages[RUNTIME_MPI][path][OFF_NODE],
                           .segments = json_member(table, "segments"),
                           .path = place,
                           .group = group,
                           .benchmark = benchmark,
                           .cpu_s = NAN,
                           .wire_s = NAN};
    fit_ends_table(&t, &now->messages[RUNTIME_MPI][path][OFF_NODE]);
}

/* --- GPU messages on a node ----------------------------------------------- */

/* Returns whether copies between GPUs were measured in this run, so that the
 * rows of doc are those of the data. */
static bool have_peer_copies(const struct fit *f)
{
    for (size_t i = 0; i < f->nfiles; i++)
        for (size_t k = 0; k < f->files[i].npoints; k++) {
            const struct experiment *x = &f->files[i].points[k].x;
            if (x->of == &memcpy_benchmark && x->dir == D2D)
                return true;
        }
    return false;
}

/*
 * Fits a segment of messages between GPUs of a node whose receiver copies (CUDA
 * IPC). The receiver is busy with the launch and the synchronisation of the
 * copy for as long as copies between such GPUs take back to back, which is more
 * than a ping-pong shows. The sender is busy as with a message to another node.
 */
static void peer_segment(struct fit *f, struct json *o, const char *path,
                         const struct segment *old, double send_s,
                         const struct copy_cost *copy)
{
    struct segment s = {.protocol = PROTOCOL_RENDEZVOUS,
                        .send_s = isnan(send_s) ? old->send_s : send_s,
                        .recv_s = copy->alpha_s};
    struct ends_number recv = {copy->alpha_s, copy->alpha_s, copy->alpha_s};

    put_ends(o, &s);
    put_ends_source(o,
                    source_json(PROVENANCE_ASSUMED, NULL,
                                "receive: as long as a copy between such GPUs "
                                "(copies.rows, D2D), send: as between nodes"));
    end_row(f, path, SEGMENT_KEY(recv_s), old->recv_s * 1e6, &recv, 1e6, 0, 0,
            NULL);
}

static void on_a_node(struct fit *f, const struct machine *now,
                      enum locality where)
{
    const struct message_table *t =
        &now->messages[RUNTIME_MPI][PATH_GDR][where];
    const struct message_table *far =
        &now->messages[RUNTIME_MPI][PATH_GDR][OFF_NODE];
    struct json *gpu = json_member(json_member(f->doc, "messages"), "gpu");
    struct json *segments =
        json_member(json_member(gpu, locality_names[where]), "segments");
    uint64_t bytes = 0;

    for (size_t i = 0; i < t->nsegments; i++) {
        const struct copy_cost *copy = machine_copy(now, D2D, where, 1, bytes);
        char path[80];
        snprintf(path, sizeof path, "messages.gpu.%s.segments.%zu",
                 locality_names[where], i);
        if (copy && t->segments[i].mover == MOVED_BY_RECEIVER)
            peer_segment(f, json_at(segments, i), path, &t->segments[i],
                         far->nsegments ? far->segments[0].send_s : NAN, copy);
        bytes = t->segments[i].up_to_B;
    }
}

/* Runs `part` on the document as it is now. */
static int fit_now(struct fit *f,
                   int (*part)(struct fit *f, const struct machine *now,
                               struct err *err),
                   struct err *err)
{
    struct machine now;

    source_forget_all(f->doc);
    if (platform_read(&now, f->doc, err) < 0)
        return fail_in(err, "the fitted platform");
    int result = part(f, &now, err);
    machine_clear(&now);
    return result;
}

static int far_ends(struct fit *f, const struct machine *now, struct err *err)
{
    struct mult_pong *benchmark =
        mult_pong_new(now->ncores, now->network.process_Bps);

    between_nodes(f, now, PATH_HOST, benchmark);
    between_nodes(f, now, PATH_GDR, benchmark);
    return mult_pong_free(benchmark, err);
}

static int near_ends(struct fit *f, const struct machine *now, struct err *err)
{
    (void)err; /* never fails */
    if (!have_peer_copies(f))
        return 0;
    on_a_node(f, now, ON_SOCKET);
    on_a_node(f, now, ON_NODE);
    return 0;
}

int fit_message_ends(struct fit *f, struct err *err)
{
    if (fit_now(f, far_ends, err) < 0)
        return -1;
    return fit_now(f, near_ends, err);
}
