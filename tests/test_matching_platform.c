/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The matching of platforms and presets: read, combined, refused. */
#include "platforms/platform.h"
#include "tests/check.h"
#include "tests/scratch.h"

#include <stdlib.h>

/* Loads with one or two settings; returns 0, or -1 and err. */
static int load(struct machine *m, const char *platform, const char *a,
                const char *b, struct err *err)
{
    const char *sets[] = {a, b};

    *err = (struct err){0};
    return platform_load(m, platform, sets, (size_t)(a != NULL) + (b != NULL),
                         err);
}

static struct matching loaded(const char *platform, const char *a,
                              const char *b)
{
    static struct machine m;
    struct err err;

    machine_clear(&m);
    m = (struct machine){0};
    if (load(&m, platform, a, b, &err) < 0) {
        fprintf(stderr, "%s\n", err.text);
        CHECK(false);
    }
    return m.matching;
}

static void refused(const char *a, const char *b, const char *why)
{
    struct machine m;
    struct err err;

    CHECK(load(&m, "lassen", a, b, &err) < 0);
    CHECK_HAS(err.text, why);
}

static void presets(void)
{
    struct matching l = loaded("lassen", NULL, NULL);

    CHECK_EQ(l.engine, MATCHER_NONE);
    l = loaded("lassen", "matching=hash@h200", NULL);
    CHECK_EQ(l.engine, MATCHER_HASH);
    CHECK_EQ(l.forbids, 0);
    CHECK(l.clock_Hz > 1e9 && l.slots > 0);
    CHECK_HAS(l.name, "hash@h200");
    l = loaded("lassen", "matching=unordered@k80", "matching.hash_cycles=7");
    CHECK_EQ(l.engine, MATCHER_HASH);
    CHECK_EQ(l.forbids, 1u << FORBID_ANY_SOURCE | 1u << FORBID_ANY_TAG |
                            1u << FORBID_EQUAL);
    CHECK_NEAR(l.clock_Hz, 875e6, 1e-12);
    CHECK_NEAR(l.hash_cycles, 7, 1e-12);
    CHECK_EQ(source_kind(l.source, "hash_cycles"), PROVENANCE_SET);
    /* The last setting counts. */
    l = loaded("lassen", "matching=mpi-expected@m40", "matching=matrix");
    CHECK_EQ(l.engine, MATCHER_MATRIX);
    CHECK_EQ(l.forbids, 0);
    CHECK_NEAR(l.clock_Hz, 1114e6, 1e-12);
}

/* A platform has its own list, by its old key alone. */
static void own_list(void)
{
    struct matching l = loaded("dane", NULL, NULL);

    CHECK_EQ(l.engine, MATCHER_LIST);
    CHECK_NEAR(l.entry_s, 0.1e-9, 1e-12);
    CHECK_NEAR(l.attempt_s, 0, 0);
    l = loaded("dane", "matching=none", NULL);
    CHECK_EQ(l.engine, MATCHER_NONE);
    l = loaded("dane", "matching=list", NULL);
    CHECK_EQ(l.engine, MATCHER_LIST);
    CHECK_NEAR(l.entry_s, 0.1e-9, 1e-12);
}

/* A platform's file has the name alone, or also a constant of its own. */
static void in_files(void)
{
    const char *texts[] = {
        "{\"format\": 1, \"extends\": [\"lassen\"], \"name\": \"a\","
        " \"about\": \"b\", \"matching\": \"mpi@gtx1080\"}",
        "{\"format\": 1, \"extends\": [\"lassen\"], \"name\": \"a\","
        " \"about\": \"b\", \"matching\": {\"preset\": \"mpi@gtx1080\","
        " \"receive_cycles\": 77, \"source\": {\"kind\": \"assumed\", "
        "\"text\": \"a test\"}}}"};

    for (int own = 0; own < 2; own++) {
        char *path = scratch_file("matching.json", texts[own]);
        struct matching l = loaded(path, NULL, NULL);
        CHECK_EQ(l.engine, MATCHER_MATRIX);
        CHECK_NEAR(l.clock_Hz, 1733e6, 1e-12);
        CHECK_EQ(l.receive_cycles == 77, own);
        free(path);
    }
}

static void wrong(void)
{
    refused("matching=hash", NULL, "hash needs clock_MHz");
    refused("matching=list", NULL, "list needs entry_ns");
    refused("matching=hsh", NULL, "unknown matching (did you mean hash?)");
    refused("matching=hash@k8", NULL, "did you mean k80?");
    refused("matching=../lassen", NULL, "unknown matching");
    refused("matching=", NULL, "expected NAME or NAME@DEVICE");
    refused("matching=matrix@h200", "matching.cta_messages=40",
            "cta_messages: expected a multiple of 32, got 40");
    refused("matching=matrix@h200", "matching.ctas=0", "ctas");
    refused("matching=matrix@h200", "matching.clock_MHz=0", "clock_MHz");
    refused("matching=list@cpu", "matching.forbids=[\"equal\"]",
            "equal needs any_source and any_tag too");
    refused("matching=list@cpu", "matching.forbids=[\"equals\"]",
            "expected any_source, any_tag, unexpected or equal");
    refused("matching=list@cpu", "matching.entry_s=1", "entry_s");
    refused("matching=list@cpu", "matching.engine=lists", "lists");
}

/* Every preset is tested with a device that has all constants. */
static void all(void)
{
    size_t n;
    struct matching_preset *list = matching_presets(&n);

    CHECK(n >= 11);
    for (size_t i = 0; i < n; i++) {
        bool cpu =
            !strcmp(list[i].name, "cpu") || !strcmp(list[i].name, "dane");
        const char *pattern = !list[i].device ? "matching=%s@h200"
                              : cpu           ? "matching=list@%s"
                                              : "matching=partitioned@%s";
        char set[80];
        snprintf(set, sizeof set, pattern, list[i].name);
        CHECK(loaded("lassen", set, NULL).engine != MATCHER_NONE);
        CHECK(strlen(list[i].about) > 10);
    }
    matching_presets_free(list, n);
}

int main(void)
{
    scratch_make();
    presets();
    own_list();
    in_files();
    wrong();
    all();
    scratch_clear();
    return check_result();
}
