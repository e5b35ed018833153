/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chooses the algorithm and protocol of NCCL and RCCL among those that their
 * settings permit. */
#include "strategies/collective/libraries/nccl_choice.h"

#include "strategies/collective/libraries/remarks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

unsigned nccl_steps(enum collective_kind kind, unsigned ranks)
{
    return kind == COLLECTIVE_ALLREDUCE ? 2 * (ranks - 1)
           : kind == COLLECTIVE_ALLGATHER || kind == COLLECTIVE_REDUCE_SCATTER
               ? ranks - 1
               : ranks;
}

bool nccl_same_channels(const struct nccl_system *s)
{
    return s->nodes == 1 || s->per_node == 1 || s->nics == 1;
}

const char *const tuned_names[NTUNED_ALGORITHMS][NTUNED_PROTOCOLS] = {
    [TREE] = {"nccl_tree/ll", "nccl_tree/ll128", "nccl_tree/simple"},
    [RING] = {"nccl_ring/ll", "nccl_ring/ll128", "nccl_ring/simple"},
    [NVLS] = {[SIMPLE] = "nccl_nvls"},
    [NVLS_TREE] = {[SIMPLE] = "nccl_nvls_tree"},
    [PAT] = {[SIMPLE] = "nccl_pat"},
    [COLLNET_DIRECT] = {[SIMPLE] = "nccl_collnet_direct"},
    [COLLNET_CHAIN] = {[SIMPLE] = "nccl_collnet_chain"},
};

/* Returns whether a list of NCCL_ALGO or NCCL_PROTO permits a name: all if
 * there is no list, those in it, or with ^ those that are not. */
static bool nccl_permits(const char *list, const char *name)
{
    size_t n = strlen(name);

    if (!list)
        return true;
    bool others = *list == '^', found = false;
    for (const char *at = list + others; *at; at += strcspn(at, ",")) {
        at += *at == ',';
        found |= !strncasecmp(at, name, n) && (at[n] == ',' || !at[n]);
    }
    return found != others;
}

static const char *const algorithm_words[] = {
    "Tree", "Ring", "NVLS", "NVLSTree", "PAT", "CollnetDirect", "CollnetChain"};
static const char *const protocol_words[] = {"LL", "LL128", "Simple"};

bool nccl_permitted(const struct machine *m, int a, int p)
{
    return nccl_permits(m->nccl.settings.algorithms, algorithm_words[a]) &&
           nccl_permits(m->nccl.settings.protocols, protocol_words[p]);
}

bool nccl_is_free(const struct machine *m)
{
    return !m->nccl.settings.algorithms && !m->nccl.settings.protocols;
}

bool nccl_serves(const struct machine *m, const struct collective *c)
{
    return c->memory == COLLECTIVE_DEVICE && m->ngpus && c->per_gpu <= 1 &&
           collective_ranks(c) >= 2 &&
           nccl_generation_of(m) != NCCL_NO_GENERATION;
}

bool nccl_fastest(const struct machine *m, const struct nccl_tuning *t,
                  enum tuned_algorithm *algorithm,
                  enum tuned_protocol *protocol)
{
    double least = INFINITY;

    for (int a = 0; a < NTUNED_ALGORITHMS; a++)
        for (int p = 0; p < NTUNED_PROTOCOLS; p++) {
            if (!tuned_names[a][p] || !nccl_permitted(m, a, p) ||
                t->lacks[a][p] || t->us[a][p] >= least)
                continue;
            least = t->us[a][p];
            *algorithm = (enum tuned_algorithm)a;
            *protocol = (enum tuned_protocol)p;
        }
    return least < INFINITY;
}

/* Sets the view of the library of the machine's GPUs. */
static void tune(struct nccl_tuning *t, const struct machine *m,
                 const struct collective *c)
{
    nccl_tuners[nccl_is_rccl(nccl_generation_of(m))](t, m, c);
}

/* Returns "NCCL_ALGO=NVLS excludes Tree, Ring; " for the words that a list does
 * not permit, "" if it permits all. The caller frees it. */
static char *nccl_excluded(const char *key, const char *list,
                           const char *const *words, size_t n)
{
    char *text = xstrdup("");

    for (size_t i = 0; i < n; i++) {
        if (nccl_permits(list, words[i]))
            continue;
        char *longer =
            *text ? xasprintf("%s, %s", text, words[i])
                  : xasprintf("%s=%s excludes %s", key, list, words[i]);
        free(text);
        text = longer;
    }
    char *ended = xasprintf("%s%s", text, *text ? "; " : "");
    free(text);
    return ended;
}

/* Returns the reason why none of the permitted algorithms is there. All have
 * Simple. */
static const char *nccl_lacks_permitted(const struct machine *m,
                                        const struct nccl_tuning *t)
{
    const char *none = "no other has a model";

    for (int a = NTUNED_ALGORITHMS; a-- > 0;) {
        if (nccl_permits(m->nccl.settings.algorithms, algorithm_words[a]))
            none = "the others go by Simple alone";
        for (int p = 0; p < NTUNED_PROTOCOLS; p++)
            if (tuned_names[a][p] && nccl_permitted(m, a, p))
                return m->nccl.settings.no_nvls && (a == NVLS || a == NVLS_TREE)
                           ? "NCCL_NVLS_ENABLE=0 excludes NVLS and NVLSTree"
                           : t->lacks[a][p];
    }
    return none;
}

char *nccl_leaves_nothing(const struct machine *m, const struct collective *c)
{
    const struct nccl_settings *s = &m->nccl.settings;
    enum tuned_algorithm a;
    enum tuned_protocol p;
    struct nccl_tuning t;

    if (nccl_is_free(m) || c->kind == COLLECTIVE_ALLTOALL || !nccl_serves(m, c))
        return NULL;
    tune(&t, m, c);
    if (nccl_fastest(m, &t, &a, &p))
        return NULL;
    char *algorithms = nccl_excluded("NCCL_ALGO", s->algorithms,
                                     algorithm_words, NTUNED_ALGORITHMS);
    char *protocols = nccl_excluded("NCCL_PROTO", s->protocols, protocol_words,
                                    NTUNED_PROTOCOLS);
    char *text =
        xasprintf("%s has no algorithm for it: %s%s%s",
                  nccl_is_rccl(nccl_generation_of(m)) ? "RCCL" : "NCCL",
                  algorithms, protocols, nccl_lacks_permitted(m, &t));
    free(algorithms);
    free(protocols);
    return text;
}

/* --- algorithms by selection ---------------------------------------------- */

static bool nccl_is(const struct collective_algorithm *x,
                    enum tuned_algorithm *algorithm,
                    enum tuned_protocol *protocol)
{
    for (int a = 0; a < NTUNED_ALGORITHMS; a++)
        for (int p = 0; p < NTUNED_PROTOCOLS; p++)
            if (tuned_names[a][p] && !strcmp(tuned_names[a][p], x->name)) {
                *algorithm = a;
                *protocol = p;
                return true;
            }
    return false;
}

bool nccl_is_tuned(const struct collective_algorithm *x)
{
    enum tuned_algorithm a;
    enum tuned_protocol p;

    return nccl_is(x, &a, &p) || !strcmp(x->name, NCCL_P2P_NAME);
}

const char *nccl_refuses_told(const struct machine *m,
                              const struct collective_algorithm *x,
                              const struct collective *c)
{
    enum tuned_algorithm a;
    enum tuned_protocol p;
    struct nccl_tuning t;

    bool sends = !strcmp(x->name, NCCL_P2P_NAME);
    if (!nccl_is(x, &a, &p) && !sends)
        return "it is not NCCL's";
    if (nccl_generation_of(m) == NCCL_NO_GENERATION)
        return "NCCL is for GPUs whose gpu.arch is sm_NUMBER";
    if (c->memory != COLLECTIVE_DEVICE)
        return "NCCL's are between GPUs (memory=device)";
    if (sends)
        return NULL;
    tune(&t, m, c);
    return t.lacks[a][p];
}
