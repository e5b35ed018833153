/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the candidates that a request names, by the shape of its workload. */
#include "study/run/job_parts.h"
#include "study/run/own_words.h"
#include "study/run/shapes.h"

#include <stdlib.h>
#include <string.h>

static int job_add_execution(struct job *j, const char *name,
                             const struct texts *sets, struct err *err)
{
    struct execution *x = xcalloc(1, sizeof *x);

    if (execution_load(x, name, sets->items, sets->n, err) < 0) {
        free(x);
        return -1;
    }
    job_add_choice(j, x->name)->execution = x;
    return 0;
}

const char *set_of_execution(const char *set)
{
    return strncmp(set, "execution.", 10) != 0 ? NULL : set + 10;
}

int job_choose_executions(struct job *j, const struct request *r,
                          struct err *err)
{
    const char *names = r->strategy;
    struct texts sets = {.n = 0};
    char *list = xstrdup(names ? names : ""), *rest = list;
    int result = 0;

    for (size_t i = 0; i < r->sets.n; i++)
        if (set_of_execution(r->sets.items[i]))
            sets.items[sets.n++] = set_of_execution(r->sets.items[i]);
    for (int i = 0; !names && i < NEXECUTIONS_BY_DEFAULT && result == 0; i++)
        result = job_add_execution(j, execution_names[i], &sets, err);
    for (char *name; names && result == 0 && (name = strsep(&rest, ","));)
        result = job_add_execution(j, name, &sets, err);
    free(list);
    return result;
}

/* Adds the algorithms of the list, or all in the order of the table if there is
 * no list. */
static int choose_algorithms(struct job *j, const char *names, struct err *err)
{
    enum collective_kind kind = j->workload->kind;
    char *list = xstrdup(names ? names : ""), *rest = list;
    int result = 0;

    for (size_t i = 0; !names && i < ncollectives; i++)
        if (collectives[i]->kind == kind)
            job_add_choice(j, collectives[i]->name)->algorithm = collectives[i];
    for (char *name; names && result == 0 && (name = strsep(&rest, ","));) {
        const struct collective_algorithm *a = collective_find(kind, name, err);
        if (a)
            job_add_choice(j, a->name)->algorithm = a;
        else
            result = -1;
    }
    free(list);
    return result;
}

/* Words that --algorithm accepts instead of names. `told`: only algorithms that
 * the machine's libraries can be told to use, of which the fastest is the
 * answer, or, if `automatic`, the library's own choice. "all": all that there
 * are. */
static const struct all_algorithms {
    const char *word;
    bool automatic, told;
} all_algorithms[] = {
    {"best", false, true}, {"auto", true, true}, {"all", false, false}};

static const struct all_algorithms *find_all_algorithms(const char *word)
{
    for (size_t i = 0; i < sizeof all_algorithms / sizeof all_algorithms[0];
         i++)
        if (!word || !strcmp(word, all_algorithms[i].word))
            return &all_algorithms[i];
    return NULL;
}

int job_choose_algorithms(struct job *j, const struct request *r,
                          struct err *err)
{
    const struct all_algorithms *all = find_all_algorithms(r->algorithm);

    j->automatic = all && all->automatic;
    j->all = all;
    j->told = all && all->told;
    if (r->library) {
        j->library = library_find(r->library, err);
        if (!j->library)
            return fail_in(err, "--library");
    }
    if (choose_algorithms(j, all ? NULL : r->algorithm, err) < 0)
        return fail_in(err, "--algorithm");
    return 0;
}

int job_choose_exchange(struct job *j, const struct request *r, struct err *err)
{
    return job_choose_strategies(j, r->strategy, err);
}

static int job_check_strategy(const struct job *j, const struct request *r,
                              struct err *err)
{
    const char *why = job_shape(j)->no_strategy;

    if (!r->strategy || !why)
        return 0;
    return fail(err, "--strategy: not for %s, %s", j->workload->prefix, why);
}

int job_choose(struct job *j, const struct request *r, struct err *err)
{
    j->all = !r->strategy;
    if (job_check_strategy(j, r, err) < 0)
        return -1;
    if (job_shape(j)->choose)
        return job_shape(j)->choose(j, r, err);
    job_add_choice(j, AS_GIVEN);
    return 0;
}

/* --- names alone ---------------------------------------------------------- */

int job_check_runtimes(const char *names, struct err *err)
{
    char *list = xstrdup(names ? names : ""), *rest = list;
    int result = 0;

    for (char *name; names && result == 0 && (name = strsep(&rest, ","));) {
        enum runtime ignored;
        result = job_runtime(&ignored, name, err);
    }
    free(list);
    return result;
}

static int check_names(const struct request *r, struct err *err)
{
    struct request plain = *r; /* values of executions are not names */
    const struct workload *w = workload_find(r->work.words, err);

    if (!w)
        return -1;
    struct job j = {.workload = w, .load.shape = request_shape(r, w)};
    if (job_check_strategy(&j, r, err) < 0)
        return 1;
    plain.sets.n = 0;
    int result = job_choose(&j, &plain, err);
    if (result == 0 && request_said(r, job_check_option, &j, err) < 0)
        result = 1;
    if (result == 0)
        result = job_check_runtimes(r->runtime, err);
    if (result == 0 && job_shape(&j)->partition)
        result = job_shape(&j)->partition(r->work.partition, err);
    job_clear(&j);
    return result;
}

int job_check_names(const struct request *r, struct err *err)
{
    struct request own;

    if (request_split(&own, r, err) < 0)
        return 1;
    int result = check_names(&own, err);
    request_unsplit(&own);
    return result;
}
