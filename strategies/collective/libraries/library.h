/* SPDX-License-Identifier: GPL-3.0-or-later */
/* library.h - which algorithm a library of collectives takes when it is not
 * told: by tables of ranks and bytes, or a model of its own; and which it can
 * be told to take. A library is one file and one line in list.def. */
#ifndef STRATEGIES_COLLECTIVE_LIBRARIES_LIBRARY_H
#define STRATEGIES_COLLECTIVE_LIBRARIES_LIBRARY_H

#include "strategies/collective/collective.h"

/* A row of a table: the first that holds counts. */
struct library_rule {
    enum collective_kind kind;
    uint32_t ranks_below; /* 0: any */
    bool power;           /* ranks that are a power of two */
    /* Bytes, or, where a rank has a block of its own, as the library counts,
     * those of a block; 0: any. */
    uint64_t bytes_below;
    bool few;              /* fewer elements than the largest power of two up to
                              the ranks */
    const char *algorithm; /* as the library calls it */
};

/* The same algorithm by our name. */
struct library_name {
    enum collective_kind kind;
    const char *theirs, *ours;
};

struct collective_library {
    const char *name;    /* what --library takes */
    const char *summary; /* whose version, where from */
    /* The MPIs of platforms that take it, by their names before the version, in
     * small letters with hyphens: "spectrum openmpi". */
    const char *mpis;
    bool of_gpus; /* that of machines that say how they run it */
    /* Our kinds whose rules count the bytes of a block. */
    unsigned by_block; /* bit of each kind */
    const struct library_rule *rules;
    size_t nrules;
    const struct library_name *names; /* those that differ */
    size_t nnames;
    /* In place of rules. NULL: it has none of this kind, or not there. */
    const char *(*choose)(const struct machine *m, const struct collective *c);
    /* What it can be told to take beside what its rules take, by our names:
     * "linear ring". */
    const char *told[NCOLLECTIVE_KINDS];
    /* Or whether this is one of them. On machines that have the library, why it
     * does not take it there, or NULL. */
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

/* An unknown one is an error that lists the known. */
const struct collective_library *library_find(const char *name,
                                              struct err *err) MUST_CHECK;
/* Those of the machine, in the order of the table: NCCL where the machine has a
 * model of it, the one that its MPI is, and those that it names; the first of
 * the table where none of these is an MPI. An unknown name is an error. */
enum { MOST_LIBRARIES = 16 };
int libraries_of(const struct collective_library *list[MOST_LIBRARIES],
                 size_t *n, const struct machine *m,
                 struct err *err) MUST_CHECK;
/* Whether the machine's MPI is none of the libraries', nor does it name one:
 * the first of the table is assumed. */
bool library_mpi_is_unknown(const struct machine *m);
/* NCCL between GPUs where the machine has it, else its first that is an MPI. Of
 * machines whose libraries are known. */
const struct collective_library *library_of(const struct machine *m,
                                            enum collective_memory memory);

struct library_choice {
    const char *theirs; /* NULL: the library has no such collective */
    const struct collective_algorithm *ours; /* NULL: there is no plan of it */
};
struct library_choice library_choose(const struct collective_library *l,
                                     const struct machine *m,
                                     const struct collective *c);

/* Why the library cannot be told to do it on this machine, which has it; NULL:
 * it can. */
const char *library_refuses(const struct collective_library *l,
                            const struct machine *m,
                            const struct collective_algorithm *a,
                            const struct collective *c);
/* The same of all that the machine has, and one more (NULL: none): the reason
 * of one that has the algorithm, if there is one. */
const char *libraries_refuse(const struct machine *m,
                             const struct collective_library *more,
                             const struct collective_algorithm *a,
                             const struct collective *c);

#endif
