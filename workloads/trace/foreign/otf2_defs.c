/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the definitions of an OTF2 archive: the locations that are ranks, the
 * members of communicators, the regions that are calls. */
#include "workloads/trace/foreign/files.h"
#include "workloads/trace/foreign/otf2_defs.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* --- tables --------------------------------------------------------------- */

static void *otf2_add(struct otf2_table *t, uint64_t id)
{
    if (t->n == t->room) {
        t->room = t->room ? 2 * t->room : 64;
        t->rows = xrealloc(t->rows, t->room, t->bytes);
    }
    void *row = (char *)t->rows + t->n++ * t->bytes;
    memset(row, 0, t->bytes);
    memcpy(row, &id, sizeof id);
    return row;
}

static int otf2_by_id(const void *a, const void *b)
{
    uint64_t x, y;

    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return (x > y) - (x < y);
}

void *otf2_find(const struct otf2_table *t, uint64_t id)
{
    if (t->n == 0)
        return NULL;
    if (id < t->n) { /* usually they are numbered without gaps */
        void *row = (char *)t->rows + id * t->bytes;
        if (memcmp(row, &id, sizeof id) == 0)
            return row;
    }
    return bsearch(&id, t->rows, t->n, t->bytes, otf2_by_id);
}

static void otf2_sort(struct otf2_table *t)
{
    if (t->n)
        qsort(t->rows, t->n, t->bytes, otf2_by_id);
}

/* --- callbacks of the library --------------------------------------------- */

static OTF2_CallbackCode see_clock(void *arg, uint64_t resolution,
                                   uint64_t offset, uint64_t length,
                                   uint64_t realtime)
{
    struct otf2_defs *d = arg;

    (void)length;
    (void)realtime;
    d->ticks_per_s = resolution;
    d->begin_ticks = offset;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode see_string(void *arg, OTF2_StringRef self,
                                    const char *text)
{
    struct otf2_string *s = otf2_add(&((struct otf2_defs *)arg)->strings, self);

    s->text = xstrdup(text ? text : "");
    plain_name(s->text);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
see_region(void *arg, OTF2_RegionRef self, OTF2_StringRef name,
           OTF2_StringRef canonical, OTF2_StringRef description,
           OTF2_RegionRole role, OTF2_Paradigm paradigm, OTF2_RegionFlag flags,
           OTF2_StringRef file, uint32_t begin, uint32_t end)
{
    struct otf2_region *r = otf2_add(&((struct otf2_defs *)arg)->regions, self);

    (void)canonical, (void)description, (void)role, (void)flags, (void)file;
    (void)begin, (void)end;
    r->name = name;
    r->paradigm = paradigm;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode see_process(void *arg, OTF2_LocationGroupRef self,
                                     OTF2_StringRef name,
                                     OTF2_LocationGroupType type,
                                     OTF2_SystemTreeNodeRef parent,
                                     OTF2_LocationGroupRef creator)
{
    (void)name, (void)parent, (void)creator;
    if (type != OTF2_LOCATION_GROUP_TYPE_ACCELERATOR)
        (void)otf2_add(&((struct otf2_defs *)arg)->process_groups, self);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode see_location(void *arg, OTF2_LocationRef self,
                                      OTF2_StringRef name,
                                      OTF2_LocationType type, uint64_t nevents,
                                      OTF2_LocationGroupRef group)
{
    struct otf2_location *l =
        otf2_add(&((struct otf2_defs *)arg)->locations, self);

    (void)name;
    l->type = type;
    l->nevents = nevents;
    l->group = group;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode see_group(void *arg, OTF2_GroupRef self,
                                   OTF2_StringRef name, OTF2_GroupType type,
                                   OTF2_Paradigm paradigm, OTF2_GroupFlag flags,
                                   uint32_t nmembers, const uint64_t *members)
{
    struct otf2_group *g = otf2_add(&((struct otf2_defs *)arg)->groups, self);

    (void)name;
    g->type = type;
    g->paradigm = paradigm;
    g->global = flags & OTF2_GROUP_FLAG_GLOBAL_MEMBERS;
    if (type != OTF2_GROUP_TYPE_COMM_LOCATIONS &&
        type != OTF2_GROUP_TYPE_COMM_GROUP)
        return OTF2_CALLBACK_SUCCESS; /* groups of regions, for example */
    g->nmembers = nmembers;
    g->members = xcalloc(nmembers ? nmembers : 1, sizeof *members);
    if (nmembers)
        memcpy(g->members, members, nmembers * sizeof *members);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode see_comm(void *arg, OTF2_CommRef self,
                                  OTF2_StringRef name, OTF2_GroupRef group,
                                  OTF2_CommRef parent, OTF2_CommFlag flags)
{
    struct otf2_comm *c = otf2_add(&((struct otf2_defs *)arg)->comms, self);

    (void)name, (void)parent, (void)flags;
    c->group = group;
    c->other = OTF2_UNDEFINED_GROUP;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode see_between(void *arg, OTF2_CommRef self,
                                     OTF2_StringRef name, OTF2_GroupRef a,
                                     OTF2_GroupRef b, OTF2_CommRef common,
                                     OTF2_CommFlag flags)
{
    struct otf2_comm *c = otf2_add(&((struct otf2_defs *)arg)->comms, self);

    (void)name, (void)common, (void)flags;
    c->group = a;
    c->other = b;
    c->between = true;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode see_window(void *arg, OTF2_RmaWinRef self,
                                    OTF2_StringRef name, OTF2_CommRef comm,
                                    OTF2_RmaWinFlag flags)
{
    struct otf2_window *w = otf2_add(&((struct otf2_defs *)arg)->windows, self);

    (void)name, (void)flags;
    w->comm = comm;
    return OTF2_CALLBACK_SUCCESS;
}

/* --- calls ---------------------------------------------------------------- */

static bool otf2_begins(const char *name, const char *with)
{
    return strncasecmp(name, with, strlen(with)) == 0;
}

static enum otf2_call otf2_call_of(const char *name)
{
    static const struct {
        const char *begins;
        enum otf2_call call;
    } words[] = {
        {"Init", OTF2_INIT}, /* MPI_Initialized is handled below */
        {"Finalize", OTF2_FINALIZE},
        {"Ssend", OTF2_SYNCHRONOUS},
        {"Bsend", OTF2_BUFFERED},
        {"Issend", OTF2_STARTS_SYNCHRONOUS},
        {"Isend", OTF2_STARTS},
        {"Ibsend", OTF2_BUFFERED},
        {"Irsend", OTF2_STARTS},
        {"Irecv", OTF2_STARTS},
        {"Start", OTF2_STARTS},
        {"Waitall", OTF2_WAIT_ALL},
        {"Wait", OTF2_WAIT_ONE},
        {"Test", OTF2_TEST},
        {"Iprobe", OTF2_TEST},
        {"Improbe", OTF2_TEST},
        {"Neighbor_", OTF2_NEIGHBORS},
        {"Ineighbor_", OTF2_NEIGHBORS},
        {"Probe", OTF2_WITH_TIME},
        {"Mprobe", OTF2_WITH_TIME},
        {"File_", OTF2_WITH_TIME},
        {"Comm_dup", OTF2_WITH_TIME},
        {"Comm_split", OTF2_WITH_TIME},
        {"Comm_create", OTF2_WITH_TIME},
        {"Comm_idup", OTF2_WITH_TIME},
        {"Cart_create", OTF2_WITH_TIME},
        {"Graph_create", OTF2_WITH_TIME},
        {"Dist_graph_create", OTF2_WITH_TIME},
        {"Win_", OTF2_WITH_TIME},
    };

    if (otf2_begins(name, "P"))
        name++;
    if (!otf2_begins(name, "MPI_"))
        return OTF2_NO_CALL;
    name += 4;
    if (otf2_begins(name, "Initialized") || otf2_begins(name, "Finalized") ||
        otf2_begins(name, "Test_cancelled"))
        return OTF2_PLAIN_CALL;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (otf2_begins(name, words[i].begins))
            return words[i].call;
    return OTF2_PLAIN_CALL;
}

static void otf2_name_regions(struct otf2_defs *d)
{
    struct otf2_region *regions = d->regions.rows;

    for (size_t i = 0; i < d->regions.n; i++) {
        const struct otf2_string *s = otf2_find(&d->strings, regions[i].name);
        regions[i].text = s ? s->text : "";
        regions[i].call = otf2_call_of(regions[i].text);
        if (regions[i].call == OTF2_NO_CALL &&
            (regions[i].paradigm == OTF2_PARADIGM_MPI ||
             regions[i].paradigm == OTF2_PARADIGM_SHMEM ||
             regions[i].paradigm == OTF2_PARADIGM_GASPI))
            regions[i].call = OTF2_PLAIN_CALL;
    }
}

/* --- ranks ---------------------------------------------------------------- */

/* Returns the locations that are ranks of MPI or, if there are none, of another
 * paradigm that has processes. */
static const struct otf2_group *otf2_world(const struct otf2_defs *d)
{
    static const OTF2_Paradigm order[] = {
        OTF2_PARADIGM_MPI, OTF2_PARADIGM_SHMEM, OTF2_PARADIGM_GASPI,
        OTF2_PARADIGM_UPC};
    const struct otf2_group *g = d->groups.rows;

    for (size_t p = 0; p < sizeof order / sizeof order[0]; p++)
        for (size_t i = 0; i < d->groups.n; i++)
            if (g[i].type == OTF2_GROUP_TYPE_COMM_LOCATIONS &&
                g[i].paradigm == order[p] && g[i].nmembers)
                return &g[i];
    return NULL;
}

/* Finds the ranks if there is no such list: the first thread of each
 * process. */
static void otf2_processes(struct otf2_defs *d)
{
    const struct otf2_location *l = d->locations.rows;
    const uint64_t *ids = d->process_groups.rows;

    d->paradigm = OTF2_PARADIGM_NONE;
    d->rank_location =
        xcalloc(d->process_groups.n + 1, sizeof *d->rank_location);
    for (size_t p = 0; p < d->process_groups.n; p++)
        for (size_t i = 0; i < d->locations.n; i++)
            if (l[i].group == ids[p] &&
                l[i].type == OTF2_LOCATION_TYPE_CPU_THREAD) {
                d->rank_location[d->ranks++] = l[i].id;
                break;
            }
}

static int otf2_find_ranks(struct otf2_defs *d, struct err *err)
{
    const struct otf2_group *world = otf2_world(d);

    if (!world)
        otf2_processes(d);
    if (world) {
        d->paradigm = world->paradigm;
        d->ranks = world->nmembers;
        d->rank_location = xcalloc(d->ranks, sizeof *d->rank_location);
        memcpy(d->rank_location, world->members,
               d->ranks * sizeof *d->rank_location);
    }
    if (d->ranks == 0)
        return fail(err, "expected ranks, found no process");
    for (uint32_t i = 0; i < d->ranks; i++)
        if (!otf2_find(&d->locations, d->rank_location[i]))
            return fail(err, "rank %u: its location %llu is not defined", i,
                        (unsigned long long)d->rank_location[i]);
    return 0;
}

/* --- communicators -------------------------------------------------------- */

static int otf2_group_ranks(const struct otf2_defs *d, struct otf2_group *g,
                            struct err *err)
{
    if (g->type != OTF2_GROUP_TYPE_COMM_GROUP || g->paradigm != d->paradigm)
        return 0;
    g->ranks = xcalloc(g->nmembers ? g->nmembers : 1, sizeof *g->ranks);
    for (uint32_t i = 0; i < g->nmembers; i++) {
        if (g->members[i] >= d->ranks)
            return fail(err, "group %llu: member %llu of %u ranks",
                        (unsigned long long)g->id,
                        (unsigned long long)g->members[i], d->ranks);
        g->ranks[i] = (uint32_t)g->members[i];
    }
    return 0;
}

static bool otf2_is_all(const struct otf2_defs *d, const struct otf2_group *g)
{
    if (g->nmembers != d->ranks)
        return false;
    for (uint32_t i = 0; i < d->ranks; i++)
        if (g->ranks[i] != i)
            return false;
    return true;
}

static void otf2_comm_of_two(struct otf2_comm *c, const struct otf2_group *a,
                             const struct otf2_group *b)
{
    c->nfirst = a->nmembers;
    c->nmembers = a->nmembers + b->nmembers;
    c->members = xcalloc(c->nmembers + (size_t)1, sizeof *c->members);
    memcpy(c->members, a->ranks, a->nmembers * sizeof *c->members);
    memcpy(c->members + a->nmembers, b->ranks,
           b->nmembers * sizeof *c->members);
}

/* Sets the members of a communicator. The first one of all ranks is the world's
 * (*has_world); later ones are others of the same ranks. */
static void otf2_comm_members(const struct otf2_defs *d, struct otf2_comm *c,
                              bool *has_world)
{
    const struct otf2_group *g = otf2_find(&d->groups, c->group);
    const struct otf2_group *other =
        c->between ? otf2_find(&d->groups, c->other) : NULL;

    c->strange = true;
    if (!g || g->paradigm != d->paradigm ||
        (c->between && (!other || !other->ranks || !g->ranks)))
        return;
    c->is_self = g->type == OTF2_GROUP_TYPE_COMM_SELF;
    c->strange = !c->is_self && !g->ranks;
    if (c->is_self || c->strange)
        return;
    c->global = g->global;
    if (c->between) {
        otf2_comm_of_two(c, g, other);
        return;
    }
    c->members = g->ranks;
    c->nmembers = g->nmembers;
    c->is_world = !*has_world && otf2_is_all(d, g);
    *has_world |= c->is_world;
}

static int otf2_link(struct otf2_defs *d, struct err *err)
{
    struct otf2_table *const tables[] = {
        &d->strings, &d->regions, &d->locations, &d->process_groups,
        &d->groups,  &d->comms,   &d->windows};
    struct otf2_group *groups = d->groups.rows;
    bool has_world = false;

    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++)
        otf2_sort(tables[i]);
    groups = d->groups.rows;
    otf2_name_regions(d);
    if (otf2_find_ranks(d, err) < 0)
        return -1;
    for (size_t i = 0; i < d->groups.n; i++)
        if (otf2_group_ranks(d, &groups[i], err) < 0)
            return -1;
    for (size_t i = 0; i < d->comms.n; i++)
        otf2_comm_members(d, (struct otf2_comm *)d->comms.rows + i, &has_world);
    return 0;
}

/* --- the interface -------------------------------------------------------- */

static OTF2_GlobalDefReaderCallbacks *otf2_def_callbacks(void)
{
    OTF2_GlobalDefReaderCallbacks *c = OTF2_GlobalDefReaderCallbacks_New();

    if (!c)
        return NULL;
    OTF2_GlobalDefReaderCallbacks_SetClockPropertiesCallback(c, see_clock);
    OTF2_GlobalDefReaderCallbacks_SetStringCallback(c, see_string);
    OTF2_GlobalDefReaderCallbacks_SetRegionCallback(c, see_region);
    OTF2_GlobalDefReaderCallbacks_SetLocationGroupCallback(c, see_process);
    OTF2_GlobalDefReaderCallbacks_SetLocationCallback(c, see_location);
    OTF2_GlobalDefReaderCallbacks_SetGroupCallback(c, see_group);
    OTF2_GlobalDefReaderCallbacks_SetCommCallback(c, see_comm);
    OTF2_GlobalDefReaderCallbacks_SetInterCommCallback(c, see_between);
    OTF2_GlobalDefReaderCallbacks_SetRmaWinCallback(c, see_window);
    return c;
}

static void otf2_tables(struct otf2_defs *d)
{
    *d = (struct otf2_defs){0};
    d->strings.bytes = sizeof(struct otf2_string);
    d->regions.bytes = sizeof(struct otf2_region);
    d->locations.bytes = sizeof(struct otf2_location);
    d->process_groups.bytes = sizeof(uint64_t);
    d->groups.bytes = sizeof(struct otf2_group);
    d->comms.bytes = sizeof(struct otf2_comm);
    d->windows.bytes = sizeof(struct otf2_window);
}

int otf2_defs_read(struct otf2_defs *d, OTF2_Reader *reader, struct err *err)
{
    OTF2_GlobalDefReader *defs = OTF2_Reader_GetGlobalDefReader(reader);
    OTF2_GlobalDefReaderCallbacks *callbacks = otf2_def_callbacks();
    uint64_t n;

    otf2_tables(d);
    if (!defs || !callbacks) {
        OTF2_GlobalDefReaderCallbacks_Delete(callbacks);
        return fail(err, "the definitions cannot be read");
    }
    OTF2_ErrorCode code =
        OTF2_Reader_RegisterGlobalDefCallbacks(reader, defs, callbacks, d);
    OTF2_GlobalDefReaderCallbacks_Delete(callbacks);
    if (code == OTF2_SUCCESS)
        code = OTF2_Reader_ReadAllGlobalDefinitions(reader, defs, &n);
    OTF2_Reader_CloseGlobalDefReader(reader, defs);
    if (code != OTF2_SUCCESS)
        return fail(err, "the definitions cannot be read: %s",
                    OTF2_Error_GetDescription(code));
    if (d->ticks_per_s == 0)
        return fail(err, "the definitions have no clock");
    return otf2_link(d, err);
}

void otf2_defs_clear(struct otf2_defs *d)
{
    struct otf2_string *strings = d->strings.rows;
    struct otf2_group *groups = d->groups.rows;
    struct otf2_comm *comms = d->comms.rows;

    for (size_t i = 0; i < d->strings.n; i++)
        free(strings[i].text);
    for (size_t i = 0; i < d->comms.n; i++)
        if (comms[i].between)
            free(comms[i].members);
    for (size_t i = 0; i < d->groups.n; i++) {
        free(groups[i].members);
        free(groups[i].ranks);
    }
    free(d->strings.rows);
    free(d->regions.rows);
    free(d->locations.rows);
    free(d->process_groups.rows);
    free(d->groups.rows);
    free(d->comms.rows);
    free(d->windows.rows);
    free(d->rank_location);
    *d = (struct otf2_defs){0};
}
