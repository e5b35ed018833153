/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sluice validate: simulates measured cases and prints the errors. */
#include "cli/cli.h"
#include "cli/nccl_sets.h"
#include "cli/subcommand.h"
#include "cli/validate_measured.h"
#include "cli/validate_native.h"
#include "cli/validate_traverse.h"

#include <math.h>

static const struct opts_page page = {
    .usage = "validate measured LOG|FILE.csv ... [OPTIONS]\n"
             "       sluice validate native FILE.csv ... [OPTIONS]\n"
             "       sluice validate traverse FILE.csv ... [OPTIONS]\n"
             "       sluice validate LOG|FILE.csv ... [OPTIONS]",
    .about =
        "Compares simulations with measurements, each kind with options and "
        "help of its own.\n"
        "  measured  micro-benchmarks, and logs; so are files without a "
        "subcommand\n"
        "  native    halo exchanges, as `sluice-native run` writes them\n"
        "  traverse  graph searches, as `sluice-native traverse` writes them\n",
    .examples =
        {{"Compare collectives measured on two GPUs",
          "sluice validate measured --platform h200-x2 "
          "results/h200/collective/two-device-2.csv.xz"},
         {"Check the probabilities of `sluice advise` by native runs",
          "sluice validate native --calibration 16 --platform testbed-4x4 "
          "results/testbed/native-4x4.csv"},
         {"Compare the output of nccl-tests, size by size",
          "sluice validate results/logs/alps_allreduce_2x4.txt --platform "
          "alps"}},
};

static const struct opts_page measured_page = {
    .usage = "validate measured LOG|FILE.csv ... [OPTIONS]",
    .about =
        "Compares simulations with micro-benchmarks.\n"
        "LOG: the output of nccl-tests, rccl-tests, OSU micro-benchmarks, "
        "IMB, NCCL Inspector or nvbandwidth (docs/logs.md), size by size. "
        "baseline is log2(ranks) latencies and the bytes at the peak rate. A "
        "log's environment variables of NCCL are set, as by --nccl, if it is "
        "the "
        "only file.\n"
        "FILE.csv: a file is recognised by "
        "its columns: "
        "ping_pong, all_pairs summary, maxrate, inj_bw, node_pong, "
        "multi_pair_ping_pong, memcpy, memcpy_mult, all_to_all_v, all_to_all, "
        "alltoall, all_reduce, gpu_collectives, collectives, matching, "
        "halo_step, mult_pong, spmv; it may be compressed (.xz), and have any "
        "name. The messages of a ping_pong are staged by hand if the column "
        "method says copy_to_cpu or the head \"# measured: "
        "ping_pong_3step\"; those of a mult_pong are parts of a message if "
        "the line \"# measured: \" says split. Points that are not "
        "simulated, or differ, are a group of their own. noise is that of the "
        "repeats; baseline is the error without a simulator: interpolation of "
        "one message, one of many alone, or n times a ping-pong "
        "(results/validation).\n",
    .examples = {{"Compare collectives measured on two GPUs",
                  "sluice validate measured --platform h200-x2 "
                  "results/h200/collective/two-device-2.csv.xz"}},
};

static const struct opts_page native_page = {
    .usage = "validate native FILE.csv ... [OPTIONS]",
    .about =
        "Compares simulations with halo exchanges, as `sluice-native run` "
        "writes them. A case holds the strategies that are compared. native us "
        "is the median of its samples, +- its noise: 1.57 IQR / sqrt(n), of "
        "several runs at least that of their medians. A native winner is clear "
        "if its lead over the next is more than the sum of both noises. "
        "slower: the regret of the predicted winner, by native times. `sluice "
        "figure native` draws them.\n",
    .examples = {{"Check the probabilities of `sluice advise` by native runs",
                  "sluice validate native --calibration 16 --platform "
                  "testbed-4x4 results/testbed/native-4x4.csv"}},
};

static const struct opts_page traverse_page = {
    .usage = "validate traverse FILE.csv ... [OPTIONS]",
    .about = "Compares simulations with graph searches, as `sluice-native "
             "traverse` writes them, each by the preset native-EXECUTION. "
             "within 1.3: the share whose times are within that factor.\n",
    .examples =
        {{"Compare searches on one and two GPUs",
          "sluice validate traverse --platform h200-x2 "
          "results/h200/graph/traverse-2.csv.xz --graphs workloads/data"}},
};

/* The options that named the files of the subcommands. */
static const char *const former_options[] = {"--against", "--native",
                                             "--traverse"};
enum { MEASURED, NATIVE_RUNS, SEARCHES, PLAIN, NFORMS };
static const struct subcommand forms[NFORMS] = {
    [MEASURED] = {"measured", &measured_page,
                  .without = "against native traverse graphs"},
    [NATIVE_RUNS] = {"native", &native_page,
                     .without = "against native traverse graphs rank-nodes "
                                "max-ops summary fact"},
    [SEARCHES] = {"traverse", &traverse_page,
                  .without = "against native traverse rank-nodes max-ops "
                             "summary fact"},
    [PLAIN] = {NULL, &page, .former = "against native traverse"}};
static const struct subcommands validations = {"validate", forms, NFORMS};

/* Adds operands as further files of an option that names one of them. */
static int add_operands(struct texts *files, char **operands, int n,
                        struct err *err)
{
    for (int i = 0; i < n; i++) {
        if (files->n == TEXTS)
            return fail(err, "%s: too many files, expected at most %zu",
                        operands[i], files->n);
        files->items[files->n++] = operands[i];
    }
    return 0;
}

/* The option that names the files. */
enum { AGAINST = 1, NATIVE = 2, TRAVERSE = 4, ANY_FILES = 7 };

/* The answer that is printed, and the option that asks for it. */
enum answer {
    ANSWER_TIMES,
    ANSWER_SUMMARY,
    ANSWER_CALIBRATION,
    ANSWER_ERRORS,
    NANSWERS
};
static const char *const answer_options[NANSWERS] = {
    NULL, "--summary", "--calibration", "--errors"};

/* An option that is not for every command: the files with which each answer
 * uses it; 0: the answer has no use for it. */
struct limited_option {
    const char *name;
    bool given;
    unsigned files[NANSWERS];
};

static int option_fits(const struct limited_option *o, unsigned files,
                       enum answer answer, struct err *err)
{
    unsigned of = o->files[answer];
    bool also = (of & AGAINST) && (of & (NATIVE | TRAVERSE));

    if (!o->given || (of & files))
        return 0;
    if (!of && answer == ANSWER_TIMES)
        return fail(err, "%s: only with --calibration", o->name);
    if (!of)
        return fail(err, "%s: not with %s", o->name, answer_options[answer]);
    return fail(err, "%s: only with %s%s%s%s", o->name,
                of & AGAINST ? "--against" : "", also ? " or " : "",
                of & NATIVE ? "--native" : "",
                of & TRAVERSE ? "--traverse" : "");
}

/* Refuses an option that would have no effect. */
static int options_fit(const struct measured_request *r, bool json, bool graphs,
                       unsigned files, struct err *err)
{
    const struct limited_option options[] = {
        /*                  times               summary  calibration errors */
        {"--summary", r->summary, {0, AGAINST, 0, 0}},
        {"--errors", r->rows, {0, 0, 0, ANY_FILES}},
        {"--model-error", !isnan(r->model_error), {0, 0, ANY_FILES, 0}},
        {"--json", json, {ANY_FILES, 0, 0, 0}},
        {"--points", r->points, {AGAINST | TRAVERSE, 0, ANY_FILES, 0}},
        {"--graphs", graphs, {TRAVERSE, TRAVERSE, TRAVERSE, TRAVERSE}},
        {"--max-ops", r->max_ops, {AGAINST, AGAINST, AGAINST, AGAINST}},
        {"--rank-nodes", r->rank_nodes, {AGAINST, AGAINST, AGAINST, AGAINST}},
        {"--fact", r->facts, {AGAINST, AGAINST, AGAINST, AGAINST}},
    };
    enum answer answer = r->calibration
                             ? r->rows ? ANSWER_ERRORS : ANSWER_CALIBRATION
                         : r->summary ? ANSWER_SUMMARY
                                      : ANSWER_TIMES;

    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++)
        if (option_fits(&options[i], files, answer, err) < 0)
            return -1;
    return 0;
}

/* The values of the command line. */
struct validate_words {
    struct engine_options engine;
    struct native_request request;
    struct measured_request measured;
    struct texts against, native, traverse, graphs, facts, nccl;
    struct log_facts known;
    bool json, helped;
    unsigned jobs;
    int noperands;
    const struct subcommand *form;
    int former; /* the form that an option names; -1 if none does */
};

static int validate_parse(struct validate_words *w, int argc, char **argv,
                          struct err *err)
{
    const struct opt opts[] = {
        OPT_HEADING("Measurements"),
        {"against", OPT_TEXTS, &w->against, "FILE.csv",
         "micro-benchmarks to compare with; may be repeated"},
        {"native", OPT_TEXTS, &w->native, "FILE.csv",
         "native runs of strategies to compare with; may be repeated"},
        {"traverse", OPT_TEXTS, &w->traverse, "FILE.csv",
         "graph searches on real GPUs to compare with; may be repeated"},
        {"graphs", OPT_TEXTS, &w->graphs, "FOLDER",
         "folder of graph files; may be repeated"},
        {"rank-nodes", OPT_TEXT, &w->measured.rank_nodes, "FILE.csv",
         "calls of collectives: the nodes of the ranks of a session [default: "
         "the first ones]"},
        FACT_OPTION(w->facts),
        {"max-ops", OPT_COUNT, &w->measured.max_ops, "N",
         "leave out points of more than N operations"},
        OPT_HEADING("Machine"),
        {"platform", OPT_TEXT, &w->request.platform, "NAME",
         "platform [default: the one that the rows name, or lassen]"},
        {"set", OPT_TEXTS, &w->request.sets, "KEY=VALUE",
         "override a value of the platform; may be repeated"},
        NCCL_OPTION(w->nccl),
        ENGINE_OPTIONS(w->engine),
        JOBS_OPTION(w->jobs),
        OPT_HEADING("Calibration of probabilities"),
        {"calibration", OPT_COUNT, &w->measured.calibration, "DRAWS",
         "for each decision the probability that sluice advise would state, "
         "by DRAWS drawn machines, and how often it was right, instead of "
         "errors; with --points as CSV, a row for each"},
        OPT_RENAMED("sure", "calibration"),
        {"model-error", OPT_NUMBER, &w->measured.model_error, "PERCENT",
         "with --calibration: the simulator's error in a candidate's time "
         "[default: that of sluice advise for the kind of decision]"},
        {"errors", OPT_FLAG, &w->measured.rows, NULL,
         "with --calibration: the errors of each kind of decision, as lines of "
         "study/advise/model_errors.def"},
        OPT_HEADING("Output"),
        {"points", OPT_FLAG, &w->measured.points, NULL,
         "every point and decision, not only groups of them"},
        {"summary", OPT_FLAG, &w->measured.summary, NULL,
         "one line for each machine and kind, as a Markdown table"},
        {"json", OPT_FLAG, &w->json, NULL,
         "groups, decisions and points as JSON"},
    };

    return subcommand_parse(&validations, w->form, argc, argv, opts,
                            sizeof opts / sizeof opts[0], &w->noperands,
                            &w->helped, err);
}

/* Validates by searches or by native runs, or by micro-benchmarks. */
static int validate_words(struct validate_words *w, struct err *err)
{
    struct measured_request *m = &w->measured;

    if (w->traverse.n) {
        struct traverse_request searches = {.platform = w->request.platform,
                                            .files = w->request.files,
                                            .sets = w->request.sets,
                                            .folders = w->graphs,
                                            .exec = w->request.exec,
                                            .json = w->json,
                                            .points = m->points,
                                            .calibration =
                                                m->calibration ? m : NULL};
        return validate_traverse(&searches, err);
    }
    if (w->native.n && !m->calibration)
        return validate_native(&w->request, w->json, err);
    m->json = w->json;
    m->platform = w->request.platform;
    m->files = w->request.files;
    m->sets = w->request.sets;
    m->exec = w->request.exec;
    return w->native.n ? validate_calibration_native(m, err)
                       : validate_measured(m, err);
}

/* Says which settings of NCCL are left out because there are several logs: all
 * files of a platform share its values. */
static void tell_settings(const struct texts *files,
                          const struct log_facts *facts)
{
    struct err ignored = {0}; /* a log that cannot be read fails later */

    for (size_t i = 0; i < files->n; i++) {
        struct log l;
        if (!log_format_of(files->items[i]) ||
            log_load(&l, files->items[i], facts, &ignored) < 0)
            continue;
        nccl_sets_tell(&l);
        log_clear(&l);
    }
}

/* Validates with the settings of NCCL that the command gives, and those that a
 * log names if it is the only file. */
static int validate_with(struct validate_words *w, struct err *err)
{
    const struct texts *files = &w->request.files, given = w->request.sets;
    bool is_log = files->n == 1 && log_format_of(files->items[0]);
    struct nccl_sets joined = {.nown = 0};
    struct log l;

    if (files->n > 1)
        tell_settings(files, w->measured.facts);
    if (is_log && log_load(&l, files->items[0], w->measured.facts, err) < 0)
        return -1;
    int result = nccl_sets_join(&joined, is_log ? &l : NULL,
                                w->request.platform ? w->request.platform
                                                    : MEASURED_PLATFORM,
                                &w->nccl, &given, err);
    w->request.sets = joined.sets;
    if (result == 0)
        result = validate_words(w, err);
    nccl_sets_clear(&joined);
    if (is_log)
        log_clear(&l);
    return result;
}

/* Puts the operands among the files of their kind: that of the subcommand, or
 * of the option that names the first of them. */
static int name_files(struct validate_words *w, char **operands,
                      struct err *err)
{
    struct texts *kinds[] = {&w->against, &w->native, &w->traverse};
    struct texts *to = &w->against;

    if ((w->against.n > 0) + (w->native.n > 0) + (w->traverse.n > 0) > 1)
        return fail(err, "--against, --native, --traverse: say one of them");
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (kinds[i]->n)
            w->former = (int)i;
        if (kinds[i]->n || w->form == &forms[i])
            to = kinds[i];
    }
    if (add_operands(to, operands, w->noperands, err) < 0)
        return -1;
    if (to->n)
        return 0;
    return w->form->name
               ? fail(err, "validate %s: expected FILE.csv", w->form->name)
               : fail(err, "validate: expected FILE.csv, or measured, native "
                           "or traverse and FILE.csv");
}

int cmd_validate(int argc, char **argv, struct err *err)
{
    struct validate_words w;
    struct exec_options exec;

    w = (struct validate_words){.measured = {.model_error = NAN}, .former = -1};
    w.form = subcommand_take(&validations, &argc, argv);
    if (validate_parse(&w, argc, argv, err) < 0)
        return -1;
    if (w.helped)
        return 0;
    if (engine_choose(&exec, &w.engine, err) < 0)
        return -1;
    exec.jobs = jobs_choose(w.jobs);
    w.request.exec = &exec;
    if (name_files(&w, argv + 1, err) < 0 ||
        log_facts_read(&w.known, w.facts.items, w.facts.n, err) < 0)
        return -1;
    w.measured.facts = w.facts.n ? &w.known : NULL;
    unsigned files = w.native.n ? NATIVE : w.traverse.n ? TRAVERSE : AGAINST;
    if (options_fit(&w.measured, w.json, w.graphs.n, files, err) < 0)
        return -1;
    w.request.files = w.native.n     ? w.native
                      : w.traverse.n ? w.traverse
                                     : w.against;
    int result = validate_with(&w, err);
    if (result == 0 && w.former >= 0)
        subcommand_hint(&validations, former_options[w.former],
                        forms[w.former].name);
    return result;
}
