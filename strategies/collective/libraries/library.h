/* SPDX-License-Identifier: GPL-3.0-or-later */
/* library.h - the choices of libraries of collectives: the algorithm that a
 * library uses if the user selects none, by tables of ranks and bytes or by a
 * model of its own, and the algorithms that a user can select. A library is one
 * file and one line in list.def. */
#ifndef STRATEGIES_COLLECTIVE_LIBRARIES_LIBRARY_H
#define STRATEGIES_COLLECTIVE_LIBRARIES_LIBRARY_H

#include "strategies/collective/collective.h"

/* A row of a table. The first row that holds decides. */
struct library_rule {
    enum collective_kind kind;
    uint32_t ranks_below; /* 0: any number */
    bool power;           /* the number of ranks is a power of two */
    /* An upper bound in bytes, 0 for none. It bounds a rank's block if the
     * library counts blocks (by_block), else the vector. */
    uint64_t bytes_below;
    /* There are fewer elements than the largest power of two up to the number
     * of ranks. */
    bool few;
    const char *algorithm; /* the library's name of it */
};

/* The library's name and ours of one algorithm. */
struct library_name {
    enum collective_kind kind;
    const char *theirs, *ours;
};

struct collective_library {
    const char *name;    /* the word after --library */
    const char *summary; /* its version and source */
    /* The MPIs of platforms that use this library, by their names before the
     * version, in small letters with hyphens: "spectrum openmpi". */
    const char *mpis;
    /* Of a library of GPUs: whether the machine has it, because it says how it
     * runs NCCL. NULL for others. */
    bool (*is_for)(const struct machine *m);
    /* The collectives whose rules count the bytes of a block: a bit for each
     * kind. */
    unsigned by_block;
    const struct library_rule *rules;
    size_t nrules;
    const struct library_name *names; /* names that differ from ours */
    size_t nnames;
    /* Used in place of rules. Returns NULL if the library has no algorithm of
     * this kind, or none on this machine. */
    const char *(*choose)(const struct machine *m, const struct collective *c);
    /* The algorithms that a user can select in addition to those of the rules,
     * by our names: "linear ring". */
    const char *told[NCOLLECTIVE_KINDS];
    /* Used in place of `told`: returns whether the algorithm is one of the
     * library. refuses() returns the reason why the library does not run it on
     * a machine that has the library, or NULL. */
    bool (*has)(const struct collective_algorithm *a);
    const char *(*refuses)(const struct machine *m,
                           const struct collective_algorithm *a,
                           const struct collective *c);
};

#define LIBRARY(x) extern const struct collective_library x##_library;
#include "strategies/collective/libraries/list.def"
#undef LIBRARY
extern const struct collective_library *const libraries[];
extern const size_t nlibraries;

/* Returns the library of this name. An unknown name is an error that lists the
 * known ones. */
const struct collective_library *library_find(const char *name,
                                              struct err *err) MUST_CHECK;
/* Lists the libraries of the machine in the order of the table: NCCL or RCCL
 * if the machine has a model of it, the library of its MPI, and those that it
 * names. If none of these is an MPI, the first of the table is included. An
 * unknown name is an error. */
enum { MOST_LIBRARIES = 16 };
int libraries_of(const struct collective_library *list[MOST_LIBRARIES],
                 size_t *n, const struct machine *m,
                 struct err *err) MUST_CHECK;
/* Returns whether the machine has an MPI that none of the libraries knows and
 * names no library with rules; then the first of the table is assumed. */
bool library_mpi_is_unknown(const struct machine *m);
/* Returns the library that the machine uses: between GPUs NCCL or RCCL if
 * it has that, else its first MPI. The names of its libraries must be known
 * (libraries_of()). */
const struct collective_library *library_of(const struct machine *m,
                                            enum collective_memory memory);

struct library_choice {
    const char *theirs; /* NULL if the library has no such collective */
    /* NULL if there is no plan of it. */
    const struct collective_algorithm *ours;
};
/* Returns the algorithm that the library chooses for the request. */
struct library_choice library_choose(const struct collective_library *l,
                                     const struct machine *m,
                                     const struct collective *c);

/* Returns the reason why a user cannot select the algorithm in this library on
 * a machine that has the library, or NULL. */
const char *library_refuses(const struct collective_library *l,
                            const struct machine *m,
                            const struct collective_algorithm *a,
                            const struct collective *c);
/* Returns NULL if the user can select it in one of the machine's libraries, or
 * in `more` (NULL: none). Else the reason, if possible that of a library that
 * has the algorithm. */
const char *libraries_refuse(const struct machine *m,
                             const struct collective_library *more,
                             const struct collective_algorithm *a,
                             const struct collective *c);

#endif
