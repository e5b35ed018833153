/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "validate/claims.h"

#include "platforms/platform.h"
#include "sim/house.h"
#include "sim/json.h"
#include "validate/claim_lab.h"
#include "sim/csv.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

const char *const claim_status_names[NSTATUSES] = {
    "reproduced", "not reproduced", "not testable"};

/* Claims that read the same grids are checked by the same worker. */
static const struct claim {
    const char *id;
    unsigned worker;
    claim_fn *check;
} claims[] = {
    {"L01", 0, claim_localities},    {"L02", 0, claim_ppn},
    {"L03", 0, claim_copies},        {"L04", 0, claim_device_latency},
    {"L05", 0, claim_injection},     {"L06", 1, claim_model_picks},
    {"L07", 1, claim_model_factor},  {"L08", 0, claim_32_few},
    {"L09", 0, claim_32_many},       {"L10", 0, claim_32_large},
    {"L11", 0, claim_256_staged},    {"L12", 0, claim_256_few},
    {"L13", 0, claim_256_many},      {"L14", 0, claim_256_large},
    {"L15", 0, claim_best_case},     {"L16", 0, claim_duplicates},
    {"L17", 0, claim_device_volume}, {"L18", 1, claim_staged_faster},
    {"L19", 1, claim_device_steps},  {"L20", 1, claim_gap},
    {"L21", 1, claim_dd_slower},     {"L22", 1, claim_md_fastest},
    {"L23", 1, claim_standard_best}, {"L24", 0, claim_summit},
    {"L25", 0, claim_future},
};
enum { NCLAIMS = sizeof claims / sizeof claims[0], NWORKERS = 2 };

const char *claims_id(size_t i)
{
    return i < NCLAIMS ? claims[i].id : NULL;
}

/* --- which -------------------------------------------------------------- */

static int find(size_t *found, const char *id, struct err *err)
{
    const char *names[NCLAIMS];

    for (size_t i = 0; i < NCLAIMS; i++) {
        names[i] = claims[i].id;
        *found = i;
        if (!strcmp(id, claims[i].id))
            return 0;
    }
    const char *near = nearest_word(id, names, NCLAIMS);
    if (near)
        return fail(err, "%s: unknown claim (did you mean %s?)", id, near);
    return fail(err, "%s: unknown claim; known: %s to %s", id, names[0],
                names[NCLAIMS - 1]);
}

static int choose(bool wanted[NCLAIMS], const char *const *ids, size_t nids,
                  struct err *err)
{
    for (size_t i = 0; i < NCLAIMS; i++)
        wanted[i] = nids == 0;
    for (size_t i = 0; i < nids; i++) {
        size_t at;
        if (find(&at, ids[i], err) < 0)
            return -1;
        wanted[at] = true;
    }
    return 0;
}

/* --- a worker ----------------------------------------------------------- */

static enum claim_status status_of(const struct verdict *v)
{
    if (v->untestable)
        return NOT_TESTABLE;
    return v->parts > 0 && v->held == v->parts ? REPRODUCED : NOT_REPRODUCED;
}

static int check_one(struct json *list, struct lab *lab, size_t i,
                     struct err *err)
{
    struct verdict v = {0};
    struct json *o;

    if (claims[i].check(lab, &v, err) < 0) {
        free(v.text);
        return fail_in(err, "%s", claims[i].id);
    }
    o = json_new_object();
    json_add_number(o, "claim", (double)i);
    json_add_number(o, "status", status_of(&v));
    json_add_number(o, "parts", (double)v.parts);
    json_add_number(o, "held", (double)v.held);
    json_add_string(o, "evidence", v.text ? v.text : "");
    json_append(list, o);
    free(v.text);
    return 0;
}

/* Checks its claims and writes an array of them; or an error's text. */
static void work(FILE *to, unsigned worker, const bool wanted[NCLAIMS],
                 const char *const *sets, size_t nsets)
{
    struct lab *lab = xcalloc(1, sizeof *lab);
    struct json *list = json_new_array();
    struct err err = {0};
    int result = lab_open(lab, sets, nsets, &err);

    for (size_t i = 0; i < NCLAIMS && result == 0; i++)
        if (wanted[i] && claims[i].worker == worker)
            result = check_one(list, lab, i, &err);
    if (result < 0) {
        json_free(list);
        list = json_new_string(err.text);
    }
    json_print(list, to);
    json_free(list);
    if (result == 0)
        lab_close(lab);
    free(lab);
}

struct worker {
    FILE *file; /* what it has to say */
    pid_t pid;
};

static int start(struct worker *w, unsigned number, const bool wanted[NCLAIMS],
                 const char *const *sets, size_t nsets, struct err *err)
{
    w->file = tmpfile();
    if (!w->file)
        return fail_work(err, "no temporary file");
    fflush(NULL);
    w->pid = fork();
    if (w->pid < 0)
        return fail_work(err, "no process for a worker");
    if (w->pid == 0) {
        work(w->file, number, wanted, sets, nsets);
        _exit(fflush(w->file) == 0 ? 0 : 1);
    }
    return 0;
}

/* --- their answers ------------------------------------------------------ */

static char *read_all(FILE *from)
{
    char *text = NULL;
    size_t len = 0, room = 0;

    rewind(from);
    for (;;) {
        room = room ? 2 * room : 4096;
        text = xrealloc(text, room, 1);
        len += fread(text + len, 1, room - len - 1, from);
        if (len < room - 1)
            break;
    }
    text[len] = 0;
    return text;
}

static int take(struct claim_result *results, const struct json *list,
                struct err *err)
{
    for (struct json *o = json_at(list, 0); o; o = json_next(o)) {
        uint64_t i, status, parts, held;
        const char *evidence;
        if (json_get_count(o, "claim", &i, err) < 0 ||
            json_get_count(o, "status", &status, err) < 0 ||
            json_get_count(o, "parts", &parts, err) < 0 ||
            json_get_count(o, "held", &held, err) < 0 ||
            json_get_string(o, "evidence", &evidence, err) < 0)
            return -1;
        results[i].status = (enum claim_status)status;
        results[i].parts = (unsigned)parts;
        results[i].held = (unsigned)held;
        results[i].evidence = xstrdup(evidence);
    }
    return 0;
}

static int finish(struct claim_result *results, struct worker *w,
                  struct err *err)
{
    int status, result = -1;

    if (w->pid <= 0)
        return 0;
    waitpid(w->pid, &status, 0);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        return fail_work(err, "a worker has not ended well");
    char *text = read_all(w->file);
    struct json *list = json_parse(text, "a worker's answer", err);
    if (list && json_is_string(list))
        result = fail(err, "%s", json_string(list));
    else if (list)
        result = take(results, list, err);
    json_free(list);
    free(text);
    return result;
}

/* --- all of them -------------------------------------------------------- */

static int read_texts(struct claim_result *results, struct err *err)
{
    char *path = house_file("results/claims/lockhart.csv", err);
    struct csv t;

    if (!path)
        return -1;
    int result = csv_load(&t, path, err);
    free(path);
    if (result < 0)
        return -1;
    for (size_t row = 0; row < t.nrows; row++) {
        const char *id = csv_text(&t, row, "id");
        const char *text = csv_text(&t, row, "claim");
        for (size_t i = 0; i < NCLAIMS && id && text; i++)
            if (!strcmp(id, results[i].id) && !results[i].text)
                results[i].text = xstrdup(text);
    }
    for (size_t i = 0; i < NCLAIMS && result == 0; i++)
        if (!results[i].text)
            result = fail(err, "%s: has no claim %s", t.path, results[i].id);
    csv_clear(&t);
    return result;
}

static int run(struct claim_result *results, const bool wanted[NCLAIMS],
               const char *const *sets, size_t nsets, struct err *err)
{
    struct worker workers[NWORKERS] = {0};
    int result = 0;

    for (unsigned w = 0; w < NWORKERS && result == 0; w++) {
        bool any = false;
        for (size_t i = 0; i < NCLAIMS; i++)
            any |= wanted[i] && claims[i].worker == w;
        if (any)
            result = start(&workers[w], w, wanted, sets, nsets, err);
    }
    for (unsigned w = 0; w < NWORKERS; w++) {
        struct err why = {0};
        if (finish(results, &workers[w], &why) < 0 && result == 0) {
            *err = why;
            result = -1;
        }
        if (workers[w].file)
            fclose(workers[w].file);
    }
    return result;
}

int claims_check(struct claim_result **results, size_t *n,
                 const char *const *ids, size_t nids, const char *const *sets,
                 size_t nsets, struct err *err)
{
    bool wanted[NCLAIMS];

    if (choose(wanted, ids, nids, err) < 0)
        return -1;
    struct claim_result *all = xcalloc(NCLAIMS, sizeof *all);
    for (size_t i = 0; i < NCLAIMS; i++)
        all[i].id = claims[i].id;
    if (read_texts(all, err) < 0 || run(all, wanted, sets, nsets, err) < 0) {
        claims_free(all, NCLAIMS);
        return -1;
    }
    *n = 0;
    for (size_t i = 0; i < NCLAIMS; i++) {
        if (wanted[i])
            all[(*n)++] = all[i];
        else
            free(all[i].text);
    }
    *results = all;
    return 0;
}

void claims_free(struct claim_result *results, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        free(results[i].text);
        free(results[i].evidence);
    }
    free(results);
}
