/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes the remarks on the choice of the library of a machine's GPUs. */
#include "strategies/collective/libraries/remarks.h"

#include "strategies/collective/libraries/library.h"
#include "strategies/collective/nccl.h"
#include "strategies/collective/nccl_graph.h"

#include <stdlib.h>
#include <string.h>

/* Returns a sentence if no table has the rules of the machine's NCCL; those of
 * RCCL do not depend on its version. */
static char *of_version(const struct machine *m)
{
    unsigned version = m->nccl.version;
    unsigned nearest = version < NCCL_OLDEST ? NCCL_OLDEST : NCCL_NEWEST;

    if (!nccl_library.is_for(m) || !version ||
        (version >= NCCL_OLDEST && version <= NCCL_NEWEST))
        return NULL;
    return xasprintf("NCCL %s: no rules of this version are known; those of "
                     "2.%u are used",
                     m->nccl.version_text, nearest - 200);
}

/* Returns a sentence if the GPUs are AMD's, of no generation that is known, and
 * the machine names no library: its users call RCCL, but an MPI is assumed. */
static char *of_rccl(const struct machine *m)
{
    if (!m->gpu.arch || strncmp(m->gpu.arch, "gfx", 3) != 0 || m->mpi ||
        m->nlibraries)
        return NULL;
    return xasprintf("RCCL is not modelled for %s: an MPI library's choice",
                     m->gpu.arch);
}

/* Returns a sentence if the plan of an all-to-all is another than that of fewer
 * ranks, or of full nodes. */
static char *of_turns(const struct machine *m, const struct collective *c)
{
    if (c->kind != COLLECTIVE_ALLTOALL || !m->nccl.protocols[NCCL_P2P].slot_B ||
        !nccl_p2p_in_turns(m, c))
        return NULL;
    return xasprintf("nccl_p2p: %u GPUs on nodes that are not alike, or not "
                     "full, send in turns and without PXN, which takes longer "
                     "than NCCL's own order would",
                     (unsigned)collective_ranks(c));
}

/* Returns a sentence with the settings that change nothing on the machine. */
static char *of_settings(const struct machine *m, const struct collective *c)
{
    const struct nccl_settings *s = &m->nccl.settings;
    const struct nccl_system seen = nccl_system_of(m, c);
    bool rccl = rccl_library.is_for(m);
    const struct {
        bool idle;
        const char *name;
    } settings[] = {
        {rccl && s->no_nvls, "NCCL_NVLS_ENABLE (RCCL has rings and trees)"},
        {rccl && s->no_pat, "NCCL_PAT_ENABLE (RCCL has rings and trees)"},
        {rccl && s->collnet, "NCCL_COLLNET_ENABLE (RCCL has rings and trees)"},
        {seen.listed && s->same_rail,
         "NCCL_CROSS_NIC (RCCL has a list of rings for such nodes)"},
        {rccl && m->nccl.version_text,
         "nccl.version (RCCL's rules are those of one version)"},
        {s->no_shm, "NCCL_SHM_DISABLE (GPUs of a node have direct access)"},
        {c->by_thread > 1 && !(m->nccl.call_s > 0),
         "launch=one-process (the platform has no nccl.call_us)"}};
    char *text = NULL;

    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++) {
        if (!settings[i].idle)
            continue;
        char *longer =
            text ? xasprintf("%s, %s", text, settings[i].name)
                 : xasprintf("without effect here: %s", settings[i].name);
        free(text);
        text = longer;
    }
    return text;
}

size_t library_remarks(char *list[MOST_REMARKS], const struct machine *m,
                       const struct collective *c)
{
    size_t n = 0;

    if (c->memory != COLLECTIVE_DEVICE)
        return 0;
    if ((list[n] = m->nccl.slots ? of_version(m) : of_rccl(m)))
        n++;
    if ((list[n] = m->nccl.slots ? nccl_leaves_nothing(m, c) : NULL))
        n++;
    if ((list[n] = of_turns(m, c)))
        n++;
    if ((list[n] = m->nccl.slots ? of_settings(m, c) : NULL))
        n++;
    return n;
}
