/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The libraries of a machine, the algorithms that a
 * user can select in them, and those that they choose by their rules. */
#include "strategies/collective/libraries/library.h"

#include "base/known.h"
#include "base/opts.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct collective_library *library_find(const char *name, struct err *err)
{
    const char *names[MOST_LIBRARIES];

    for (size_t i = 0; i < nlibraries; i++) {
        names[i] = libraries[i]->name;
        if (!strcmp(name, names[i]))
            return libraries[i];
    }
    char *hint = known_hint(name, names, nlibraries, "sluice list libraries");
    (void)fail(err, "%s: unknown library%s", name, hint);
    free(hint);
    return NULL;
}

/* --- libraries of a machine ----------------------------------------------- */

/* Sets `family` to the name of an MPI without its version, in small letters
 * with hyphens: "cray-mpich" for "CRAY_MPICH_8.1.29", "mvapich2" for "MVAPICH2
 * 2.1". */
static void mpi_family(char family[64], const char *mpi)
{
    size_t n = 0;

    for (; mpi[n] && n < 63; n++) {
        bool parts = strchr(" _-/@", mpi[n]);
        if (parts && isdigit((unsigned char)mpi[n + 1]))
            break;
        family[n] = (char)(parts ? '-' : tolower((unsigned char)mpi[n]));
    }
    family[n] = 0;
}

static bool library_is_mpi(const struct collective_library *l, const char *mpi)
{
    char family[64];

    mpi_family(family, mpi);
    return opt_in_list(l->mpis, family);
}

static bool machine_names(const struct machine *m,
                          const struct collective_library *l)
{
    for (size_t i = 0; i < m->nlibraries; i++)
        if (!strcmp(m->libraries[i].name, l->name))
            return true;
    return false;
}

bool library_mpi_is_unknown(const struct machine *m)
{
    for (size_t i = 0; i < nlibraries; i++)
        if (m->mpi && library_is_mpi(libraries[i], m->mpi))
            return false;
    for (size_t i = 0; i < nlibraries; i++)
        if (libraries[i]->nrules && machine_names(m, libraries[i]))
            return false;
    return m->mpi;
}

static bool machine_has(const struct machine *m,
                        const struct collective_library *l)
{
    return machine_names(m, l) || (l->is_for && l->is_for(m)) ||
           (m->mpi && library_is_mpi(l, m->mpi));
}

/* Lists the machine's libraries and returns their number. Unknown names are
 * ignored, because libraries_of() reports them. */
static size_t find_libraries(const struct collective_library **list,
                             const struct machine *m)
{
    bool mpi = false;
    size_t n = 0;

    for (size_t i = 0; i < nlibraries; i++)
        mpi |= libraries[i]->nrules && machine_has(m, libraries[i]);
    for (size_t i = 0; i < nlibraries; i++)
        if (machine_has(m, libraries[i]) || (!mpi && i == 0))
            list[n++] = libraries[i];
    return n;
}

int libraries_of(const struct collective_library *list[MOST_LIBRARIES],
                 size_t *n, const struct machine *m, struct err *err)
{
    for (size_t i = 0; i < m->nlibraries; i++)
        if (!library_find(m->libraries[i].name, err))
            return fail_in(err, "%s: libraries", m->path);
    *n = find_libraries(list, m);
    return 0;
}

const struct collective_library *library_of(const struct machine *m,
                                            enum collective_memory memory)
{
    const struct collective_library *list[MOST_LIBRARIES];
    size_t n = find_libraries(list, m);

    for (size_t i = 0; i < n; i++)
        if (memory == COLLECTIVE_DEVICE && list[i]->is_for)
            return list[i];
    for (size_t i = 0; i < n; i++)
        if (list[i]->nrules)
            return list[i];
    return libraries[0];
}

/* --- rules ---------------------------------------------------------------- */

static uint32_t power_up_to(uint32_t ranks)
{
    uint32_t power = 1;

    while (power <= ranks / 2)
        power *= 2;
    return power;
}

static bool rule_holds(const struct library_rule *r, const struct collective *c,
                       uint64_t bytes)
{
    uint32_t ranks = collective_ranks(c), power = power_up_to(ranks);
    uint64_t elements = c->bytes / (c->element_B ? c->element_B : 1);

    return r->kind == c->kind && (!r->ranks_below || ranks < r->ranks_below) &&
           (!r->power || ranks == power) &&
           (!r->bytes_below || bytes < r->bytes_below) &&
           (!r->few || elements < power);
}

static const char *library_rule_of(const struct collective_library *l,
                                   const struct collective *c)
{
    bool by_block = l->by_block & 1u << c->kind;
    uint64_t bytes = c->bytes / (by_block ? collective_ranks(c) : 1);

    for (size_t i = 0; i < l->nrules; i++)
        if (rule_holds(&l->rules[i], c, bytes))
            return l->rules[i].algorithm;
    return NULL;
}

static const char *library_our_name(const struct collective_library *l,
                                    enum collective_kind kind,
                                    const char *theirs)
{
    for (size_t i = 0; i < l->nnames; i++)
        if (l->names[i].kind == kind && !strcmp(l->names[i].theirs, theirs))
            return l->names[i].ours;
    return theirs;
}

/* --- algorithms by selection ---------------------------------------------- */

static bool library_has(const struct collective_library *l,
                        const struct collective_algorithm *a)
{
    if (l->has)
        return l->has(a);
    if (opt_in_list(l->told[a->kind], a->name))
        return true;
    for (size_t i = 0; i < l->nrules; i++)
        if (l->rules[i].kind == a->kind &&
            !strcmp(library_our_name(l, a->kind, l->rules[i].algorithm),
                    a->name))
            return true;
    return false;
}

const char *library_refuses(const struct collective_library *l,
                            const struct machine *m,
                            const struct collective_algorithm *a,
                            const struct collective *c)
{
    if (!library_has(l, a))
        return "it is not one of its algorithms";
    return l->refuses ? l->refuses(m, a, c) : NULL;
}

const char *libraries_refuse(const struct machine *m,
                             const struct collective_library *more,
                             const struct collective_algorithm *a,
                             const struct collective *c)
{
    const struct collective_library *list[MOST_LIBRARIES + 1];
    const char *why = "none of its libraries has it";
    size_t n = find_libraries(list, m);

    if (more)
        list[n++] = more;
    for (size_t i = 0; i < n; i++) {
        const char *refused = library_refuses(list[i], m, a, c);
        if (!refused)
            return NULL;
        if (library_has(list[i], a))
            why = refused;
    }
    return why;
}

/* --- algorithms by rule --------------------------------------------------- */

struct library_choice library_choose(const struct collective_library *l,
                                     const struct machine *m,
                                     const struct collective *c)
{
    struct library_choice choice = {
        l->choose ? l->choose(m, c) : library_rule_of(l, c), NULL};

    if (!choice.theirs)
        return choice;
    const char *ours = library_our_name(l, c->kind, choice.theirs);
    for (size_t i = 0; i < ncollectives; i++)
        if (collectives[i]->kind == c->kind &&
            !strcmp(collectives[i]->name, ours))
            choice.ours = collectives[i];
    return choice;
}
