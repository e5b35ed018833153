/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Only algorithms that a library of the machine can be told to use are ranked
 * if none is named, on every shipped machine; named ones are marked. */
#include "platforms/platform.h"
#include "study/run/run.h"
#include "tests/check.h"

#include <stdlib.h>
#include <string.h>

/* Returns whether the machine's file names the library, without the table of
 * libraries. */
static bool says(const struct machine *m, const char *library)
{
    for (size_t i = 0; i < m->nlibraries; i++)
        if (!strcmp(m->libraries[i].name, library))
            return true;
    return false;
}

static bool begins(const char *text, const char *with)
{
    return text && !strncmp(text, with, strlen(with));
}

static bool has_word(const char *name, const char *word)
{
    return strstr(name, word) != NULL;
}

/* Returns, by hand, whether the algorithm's library, by its name, is on the
 * machine, and whether NCCL accepts it. */
static bool may_be_told(const struct machine *m, const char *name,
                        unsigned nodes)
{
    if (begins(name, "mvapich2"))
        return begins(m->mpi, "MVAPICH2") || begins(m->mpi, "mvapich2");
    if (begins(name, "bine"))
        return says(m, "libbine");
    if (has_word(name, "node_aware") || begins(name, "locality_aware") ||
        !strcmp(name, "hierarchical") || begins(name, "multileader"))
        return says(m, "mpi_advance");
    if (has_word(name, "sb_") || has_word(name, "tb_") ||
        !strcmp(name, "static") || !strcmp(name, "dynamic"))
        return says(m, "shared_gpu");
    if (begins(name, "lanes") || begins(name, "hierarchical") ||
        !strcmp(name, "swing") || !strcmp(name, "double_binary_tree"))
        return false;
    if (!begins(name, "nccl"))
        return true;
    if (!m->nccl.slots)
        return false;
    if (!strcmp(name, "nccl_nvls_tree"))
        return nodes > 1 && m->nswitches && !begins(m->gpu.arch, "sm_7") &&
               !begins(m->gpu.arch, "sm_8");
    if (!strcmp(name, "nccl_nvls"))
        return nodes == 1 && m->nswitches && !begins(m->gpu.arch, "sm_7") &&
               !begins(m->gpu.arch, "sm_8");
    /* The GPUs of other machines with NCCL and a network reach their NICs
     * through a socket, those of a DGX and of boards like it through a
     * switch. */
    static const char *const switched[] = {"dgx", "hgx",  "p4de",    "p5",
                                           "p6",  "abci", "snellius"};
    bool near = false;
    for (size_t i = 0; i < sizeof switched / sizeof switched[0]; i++)
        near |= begins(m->name, switched[i]);
    return !has_word(name, "ll128") || nodes == 1 || near;
}

static void check_choices(const struct job *j)
{
    bool any = false;

    for (size_t i = 0; i < j->nchoices; i++) {
        const struct choice *c = &j->choices[i];
        any |= !c->untold;
        if (!c->untold && !may_be_told(j->machine, c->name, j->load.nodes)) {
            printf("%s: %s, %u nodes\n", j->machine->name, c->name,
                   j->load.nodes);
            CHECK(!"a library of the machine has it");
        }
    }
    CHECK(any && j->told);
}

static void check_request(const char *platform, unsigned nodes,
                          enum collective_kind kind, const char *memory)
{
    struct request r;
    struct err err;
    struct job j;

    request_init(&r);
    r.platform = platform;
    r.work.nodes = nodes;
    char *words = xasprintf("%s:memory=%s,bytes=64M",
                            collective_kind_names[kind], memory);
    r.work.words = words;
    CHECK(job_load(&j, &r, &err) == 0);
    check_choices(&j);
    job_clear(&j);
    free(words);
}

static void check_machine_of(const char *name)
{
    static const char *const memories[] = {"host", "device", "staged"};
    struct machine m;
    struct err err;

    CHECK(platform_load(&m, name, NULL, 0, &err) == 0);
    for (unsigned nodes = 1; nodes <= 2 && nodes <= m.network.nodes; nodes++)
        for (int kind = 0; kind < NCOLLECTIVE_KINDS; kind++)
            for (size_t i = 0; i < (m.ngpus ? 3 : 1); i++)
                check_request(name, nodes, (enum collective_kind)kind,
                              memories[i]);
    machine_clear(&m);
}

static void shipped(void)
{
    struct platform_list list;

    platform_list(&list);
    CHECK(list.n > 20);
    for (size_t i = 0; i < list.n; i++)
        check_machine_of(list.entries[i].name);
    platform_list_clear(&list);
}

/* Stores whether the fastest outcome of a request is marked; returns how many
 * are left out because no library has them. */
static size_t untold_of(const char *platform, unsigned nodes,
                        const char *algorithm, bool *marked)
{
    const struct run_options options = {0};
    struct outcome *list = NULL;
    size_t n = 0, untold = 0;
    struct request r;
    struct err err;
    struct job j;

    request_init(&r);
    r.platform = platform;
    r.work.words = "allreduce:bytes=1M";
    r.work.nodes = nodes;
    r.algorithm = algorithm;
    CHECK(job_load(&j, &r, &err) == 0);
    CHECK(job_run(&list, &n, &j, &options, &err) == 0);
    *marked = n && list[0].untold;
    for (size_t i = 0; i < n; i++)
        untold += list[i].why &&
                  strstr(list[i].why->text, "can be told to take it") != NULL;
    outcomes_free(list, n);
    job_clear(&j);
    return untold;
}

static void on_request(void)
{
    bool marked;

    CHECK(untold_of("gb200-nvl72", 1, NULL, &marked) > 0 && !marked);
    /* An inference engine's kernel is faster than all of NCCL there. */
    CHECK(untold_of("gb200-nvl72", 1, "all", &marked) == 0 && marked);
    CHECK(untold_of("gb200-nvl72", 1, "mvapich2", &marked) == 0 && marked);
    CHECK(untold_of("alps", 8, NULL, &marked) > 0 && !marked);
    CHECK(untold_of("alps", 8, "nccl_tree/ll128", &marked) == 0 && marked);
}

/* A library that is named is one of the machine's; an unknown one is
 * refused. */
static void named(void)
{
    static const char *const has[] = {
        "libraries={\"libbine\":{\"source\":{\"kind\":\"assumed\",\"text\":"
        "\"here\"}}}"};
    static const char *const lacks[] = {
        "libraries={\"libbin\":{\"source\":{\"kind\":\"assumed\",\"text\":"
        "\"here\"}}}"};
    struct collective c = {.kind = COLLECTIVE_ALLREDUCE,
                           .nodes = 2,
                           .ranks_per_node = 4,
                           .bytes = 1 << 20,
                           .memory = COLLECTIVE_DEVICE};
    const struct collective_library *list[MOST_LIBRARIES];
    struct machine m;
    struct err err;
    size_t n;

    const struct collective_algorithm *bine =
        collective_find(COLLECTIVE_ALLREDUCE, "bine_lat", &err);
    CHECK(platform_load(&m, "lassen", NULL, 0, &err) == 0);
    CHECK_HAS(libraries_refuse(&m, NULL, bine, &c), "none of its libraries");
    CHECK(!libraries_refuse(&m, library_find("libbine", &err), bine, &c));
    machine_clear(&m);
    CHECK(platform_load(&m, "lassen", has, 1, &err) == 0);
    CHECK(!libraries_refuse(&m, NULL, bine, &c));
    CHECK(!strcmp(library_of(&m, COLLECTIVE_DEVICE)->name, "openmpi"));
    machine_clear(&m);
    CHECK(platform_load(&m, "lassen", lacks, 1, &err) == 0);
    CHECK(libraries_of(list, &n, &m, &err) < 0);
    CHECK_HAS(err.text, "libraries: libbin: unknown library (did you mean "
                        "libbine?");
    machine_clear(&m);
}

int main(void)
{
    shipped();
    on_request();
    named();
    return check_result();
}
