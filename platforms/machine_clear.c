/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Frees a machine. */
#include "platforms/machine.h"

#include "platforms/keys.h"

#include <stdlib.h>
#include <string.h>

static void message_table_clear(struct message_table *t)
{
    for (size_t i = 0; i < t->nsegments; i++)
        keys_free(&segment_keys, &t->segments[i]);
    free(t->segments);
    keys_free(&table_keys, t);
}

static void messages_clear(struct machine *m)
{
    for (size_t r = 0; r < NRUNTIMES; r++) {
        for (size_t p = 0; p < NPATHS; p++)
            for (size_t l = 0; l < NLOCALITIES; l++)
                message_table_clear(&m->messages[r][p][l]);
        keys_free(&runtime_costs_keys, &m->costs[r]);
    }
}

void machine_clear(struct machine *m)
{
    for (size_t i = 0; i < m->ndevices; i++)
        keys_free(&device_keys, &m->devices[i]);
    for (size_t i = 0; i < m->nwires; i++) {
        keys_free(&wire_keys, &m->wires[i]);
        keys_free(&wire_type_keys, &m->wires[i]);
    }
    for (size_t i = 0; i < m->copies.nrows; i++)
        keys_free(&copy_row_keys, &m->copies.rows[i]);
    for (size_t i = 0; i < m->nlibraries; i++) {
        free(m->libraries[i].name);
        keys_free(&library_keys, &m->libraries[i]);
    }
    for (int i = 0; i < NNCCL_PROTOCOLS; i++)
        keys_free(&nccl_protocol_keys, &m->nccl.protocols[i]);
    messages_clear(m);
    keys_free(&matching_keys, &m->matching);
    keys_free(&copies_keys, &m->copies);
    keys_free(&mps_overhead_keys, &m->copies);
    keys_free(&network_keys, &m->network);
    keys_free(&gpu_keys, &m->gpu);
    keys_free(&packet_keys, &m->gpu.packet);
    keys_free(&access_keys, &m->gpu.access);
    keys_free(&calls_keys, &m->gpu.calls);
    keys_free(&nccl_settings_keys, &m->nccl.settings);
    keys_free(&nccl_keys, &m->nccl);
    keys_free(&graph_keys, &m->graph);
    keys_free(&measured_keys, &m->measured);
    keys_free(&file_keys, m);
    free(m->devices);
    free(m->wires);
    free(m->copies.rows);
    free(m->libraries);
    free(m->path);
    memset(m, 0, sizeof *m);
}
