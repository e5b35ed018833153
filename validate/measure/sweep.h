/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sweep.h - the points of a benchmark that sluice-native measures: a command of
 * it says which, each as an experiment. */
#ifndef VALIDATE_MEASURE_SWEEP_H
#define VALIDATE_MEASURE_SWEEP_H

#include "validate/measure/experiment.h"
#include "validate/measure/sizes.h"

/* The ranks on which the points are measured, and the options of the
 * command. */
struct sweep {
    /* The ranks as cores: rank = node * ncores + core. It has no costs. */
    const struct machine *m;
    const unsigned *sockets; /* all ranks have one */
    const unsigned *numas;   /* and their NUMA domains */
    const int *gpu_sockets;  /* the first node's GPUs; -1: not known */
    struct sizes sizes;
    bool gpu;        /* messages are of GPU memory */
    bool far;        /* such messages can leave a node */
    unsigned most;   /* most messages, pairs, or ranks that copy */
    unsigned wanted; /* bit i: the command's word i is wanted */
    void (*point)(void *arg, const struct experiment *x, const char *cells);
    void *arg;
};

/* Measures an experiment; the text is its row's first cells. */
void sweep_point(const struct sweep *s, const struct experiment *x,
                 const char *format, ...) PRINTF_LIKE(3, 4);
/* Returns the column `device`. */
const char *sweep_device(const struct sweep *s);
/* Returns on_socket, on_node or off_node for two ranks. */
const char *sweep_locality(const struct sweep *s, unsigned a, unsigned b);
enum { NSWEEP_LOCALITIES = 3 };
extern const char *const sweep_localities[NSWEEP_LOCALITIES]; /* those words */
/* Returns one past the last rank that rank 0 can send to. */
unsigned sweep_reach(const struct sweep *s);
/* Finds the first and the last rank that rank 0 can send to in a locality, 0 if
 * there is none. */
void sweep_partners(const struct sweep *s, const char *locality,
                    unsigned *first, unsigned *last);
/* Returns an experiment of two ranks, the first of which is on node 0. */
struct experiment sweep_pair(const struct sweep *s, unsigned first,
                             unsigned second);

#define SWEEP_HOST_NOTE                                                        \
    "config=host_memory: there is no GPU, memcpy between host buffers, one "   \
    "of them standing for GPU memory"

/* The names of enum buffers, which are words of --buffers and the column
 * `buffers`; their meaning, for the head of a file. */
extern const char *const buffer_names[NBUFFERS];
#define BUFFERS_HELP "of same, written, cold (all)"
#define BUFFERS_WORDS                                                          \
    .words = buffer_names, .nwords = NBUFFERS, .words_option = "buffers",      \
    .words_help = BUFFERS_HELP, .usual = (1u << NBUFFERS) - 1
#define BUFFERS_NOTE                                                           \
    "buffers: same: one buffer for each message, which nobody writes; "        \
    "written: written just before each send, the time of that taken off, and " \
    "used in turn through twice the L2 of a core; cold: written once, used "   \
    "in turn through half of the last-level cache, of each rank and direction"
/* Smaller messages are not measured with cold buffers, because they are not
 * larger than the data that a core prefetches. */
enum { LEAST_COLD_B = 4096 };

/* A command of sluice-native, and the head of its file. */
struct benchmark_command {
    const char *name;
    const char *summary;      /* one line of the list of commands */
    const char *about;        /* its help */
    const char *measured;     /* "# measured: " */
    const char *const *notes; /* "# note: ", ended by NULL */
    const char *columns;      /* the cells of a point */
    bool same_rack;           /* an empty column follows the time */
    struct sizes sizes;       /* the default */
    const char *sized;        /* the unit of the sizes; NULL for bytes */
    bool host;                /* there are no messages of GPU memory */
    bool ipc;                 /* those on a node may go by CUDA IPC */
    bool copies;              /* ranks of one node copy from and to its GPUs */
    bool two_nodes;           /* it needs ranks on two nodes */
    bool between;             /* it has the option --between */
    bool buffers;             /* its words are those of enum buffers */
    bool
        dealt; /* copies: the ranks of a node are dealt to its GPUs in blocks */
    bool alone; /* iterations are timed one by one, from a common start */
    /* Names of further options, or NULL: the largest count; and a list of some
     * of at most 4 words. */
    const char *most, *most_help;
    const char *words_option, *words_help;
    const char *const *words;
    unsigned nwords;
    unsigned
        usual; /* bits of the words that are the default; 0 for the first */
    unsigned aware; /* bits of those that need an MPI that sends GPU memory */
    void (*sweep)(const struct sweep *s);
};

#endif
