/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tables of strategies and workloads compared with that of options: every
 * option that a row names is one of the command line; and the contents of
 * experiment files. */
#include "tests/check.h"

#include "base/json.h"
#include "study/run/request.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void check_options(const char *of, const char *options)
{
    struct request r;

    request_init(&r);
    const struct opt opts[] = {REQUEST_OPTIONS(r)};
    char *list = xstrdup(options), *rest = list;
    for (char *word; (word = strsep(&rest, " "));) {
        bool known = !*options;
        for (size_t i = 0; i < sizeof opts / sizeof opts[0]; i++)
            known |= !strcmp(opts[i].name, word);
        if (!known)
            fprintf(stderr, "%s: no option --%s\n", of, word);
        CHECK(known);
    }
    free(list);
}

static void tables(void)
{
    struct err err = {0};

    for (size_t i = 0; i < nstrategies; i++)
        check_options(strategies[i]->name, strategies[i]->options);
    for (size_t i = 0; i < nworkloads; i++) {
        const struct workload *w = workloads[i];
        if (w->options) /* otherwise it runs only on hosts, in rounds */
            check_options(w->prefix, w->options);
        if (w->round_options)
            check_options(w->prefix, w->round_options);
        CHECK(w->summary && w->help && w->platform && w->words);
        CHECK(!strncmp(w->words, w->prefix, strlen(w->prefix)));
        CHECK_EQ(!w->matrix + !w->traffic + !w->messages + !w->loop +
                     !w->algorithm + !w->collective + !w->trace,
                 6);
        CHECK(workload_find(w->words, &err) == w);
    }
    CHECK(workload_find("spvm:x", &err) == NULL);
    CHECK_HAS(err.text, "spvm:x: unknown workload (did you mean spmv:?)");
    CHECK(workload_find("", &err) == NULL);
}

static int read_text(struct request *r, struct json **doc, const char *text,
                     struct err *err)
{
    char path[] = "/tmp/sluice-request-XXXXXX";
    int fd = mkstemp(path);
    FILE *f = fdopen(fd, "w");

    fputs(text, f);
    fclose(f);
    int result = request_read(r, doc, path, err);
    remove(path);
    return result;
}

static int count(void *arg, const char *option, struct err *err)
{
    (void)option, (void)err;
    ++*(int *)arg;
    return 0;
}

static void files(void)
{
    struct request r;
    struct json *doc;
    struct err err = {0};
    int said = 0;

    request_init(&r);
    CHECK(request_said(&r, count, &said, &err) == 0 && said == 0);
    r.work.nodes = 3; /* from the command line: replaces the file's GPUs */
    r.platform = "duo";
    CHECK(read_text(&r, &doc,
                    "{\"platform\": \"lassen\", \"workload\": \"spmv:x\","
                    "\"gpus\": 8, \"message_cap_bytes\": 48,"
                    "\"value_bytes\": 16, \"keep_duplicates\": true,"
                    "\"source\": 0, \"edge_ns\": 0.5, \"set\": [\"a=1\"]}",
                    &err) == 0);
    CHECK_HAS(r.platform, "duo");
    CHECK_HAS(r.work.words, "spmv:x");
    CHECK(r.work.nodes == 3 && r.work.gpus == 0);
    CHECK(r.options.message_cap_B == 48 && r.work.value_bytes == 16);
    CHECK(r.options.keep_duplicates && r.work.source == 0);
    CHECK_NEAR(r.edge_ns, 0.5, 0);
    CHECK(isnan(r.work.damping) && r.sets.n == 1);
    /* platform, workload, nodes, cap, bytes, duplicates, source, edge, set */
    CHECK(request_said(&r, count, &said, &err) == 0);
    CHECK_EQ(said, 9);
    json_free(doc);

    /* The last one of a key counts, so the command line's are behind. */
    request_init(&r);
    r.sets = (struct texts){.items = {"a=3", "b=4"}, .n = 2};
    CHECK(read_text(&r, &doc, "{\"set\": [\"a=1\", \"a=2\"]}", &err) == 0);
    CHECK_EQ(r.sets.n, 4);
    for (size_t i = 0; i < 4; i++)
        CHECK_HAS(r.sets.items[i],
                  ((const char *[]){"a=1", "a=2", "a=3", "b=4"})[i]);
    json_free(doc);
    r.sets.n = TEXTS - 1; /* two more are one too many */
    CHECK(read_text(&r, &doc, "{\"set\": [\"a=1\", \"a=2\"]}", &err) < 0);
    CHECK_HAS(err.text, "set[1]: expected \"KEY=VALUE\", at most");

    request_init(&r);
    CHECK(read_text(&r, &doc, "{\"message_cap\": 48}", &err) < 0);
    CHECK_HAS(err.text, "did you mean message_cap_bytes");
    CHECK(read_text(&r, &doc, "[]", &err) < 0);
    CHECK_HAS(err.text, "expected an object");
    CHECK(read_text(&r, &doc, "{\"gpus\": 0}", &err) < 0);
    CHECK_HAS(err.text, "gpus: expected a whole number above 0");
}

int main(void)
{
    tables();
    files();
    return check_result();
}
