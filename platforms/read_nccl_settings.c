/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads NCCL's environment variables and applies them to a machine
 * (github.com/NVIDIA/nccl 5067397c, src/init.cc, src/graph/paths.cc). */
#include "base/json.h"
#include "base/known.h"
#include "base/number.h"
#include "platforms/keys.h"
#include "platforms/nccl_parts.h"
#include "platforms/nccl_settings.h"
#include "platforms/read.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { NCCL_CHANNELS = 64, RCCL_CHANNELS = 128 }; /* the most of a GPU */
enum { MAX_SET_B = 1 << 30, LEAST_BUFFER_B = 4096 };

static const char *const levels[] = {"",    "LOC", "NVL", "PIX",
                                     "PXB", "PHB", "SYS"};

#define AT(field) offsetof(struct nccl_settings, field)
#define CHANNELS(field)                                                        \
    KEY_WHOLE, AT(field), .untimed = true, .least = 1, .most = RCCL_CHANNELS
#define BYTES(field, from)                                                     \
    KEY_WHOLE, AT(field), .untimed = true, .least = (from), .most = MAX_SET_B
#define SWITCH(field) KEY_WHOLE, AT(field), .untimed = true, .most = 1
static const struct key setting_rows[] = {
    {"NCCL_ALGO", KEY_TEXT, AT(algorithms), .untimed = true,
     .help = "the algorithms that NCCL may choose: Ring,Tree,NVLS,NVLSTree,PAT,"
             "CollnetDirect,CollnetChain; with ^ before them, those that it "
             "may not"},
    {"NCCL_PROTO", KEY_TEXT, AT(protocols), .untimed = true,
     .help = "the protocols that it may choose: LL,LL128,Simple"},
    {"NCCL_MIN_NCHANNELS", CHANNELS(min_channels),
     .help = "the fewest channels of rings and trees"},
    {"NCCL_MAX_NCHANNELS", CHANNELS(max_channels), .help = "the most"},
    {"NCCL_MIN_P2P_NCHANNELS", CHANNELS(min_p2p_channels),
     .help = "the fewest channels of sends and receives"},
    {"NCCL_MAX_P2P_NCHANNELS", CHANNELS(max_p2p_channels), .help = "the most"},
    {"NCCL_NCHANNELS_PER_NET_PEER", CHANNELS(net_peer_channels),
     .help = "channels of a message to another node (left out: by the rate of "
             "a NIC)"},
    {"NCCL_BUFFSIZE", BYTES(buffer_B, LEAST_BUFFER_B),
     .help = "bytes of a channel's buffer by Simple, of which a slot is an "
             "eighth"},
    {"NCCL_P2P_NVL_CHUNKSIZE", BYTES(nvlink_chunk_B, 1),
     .help = "bytes of a chunk of a send over NVLink, from NCCL's own up to a "
             "slot"},
    {"NCCL_P2P_PCI_CHUNKSIZE", BYTES(pcie_chunk_B, 1), .help = "over PCIe"},
    {"NCCL_P2P_NET_CHUNKSIZE", BYTES(net_chunk_B, 1),
     .help = "in jobs of several nodes"},
    {"NCCL_P2P_DISABLE", SWITCH(no_p2p),
     .help = "1 for no direct access between GPUs: NVLink is not used, and "
             "data pass the memory of a socket"},
    {"NCCL_P2P_LEVEL", KEY_WORD, AT(p2p_level), .untimed = true,
     .words = levels, .nwords = sizeof levels / sizeof *levels,
     .least = NCCL_LEVEL_LOC,
     .help = "LOC for the same; others do not matter where NVLink joins the "
             "GPUs (a number is one of older versions of NCCL)"},
    {"NCCL_SHM_DISABLE", SWITCH(no_shm),
     .help = "1 for no data by a socket's memory, which matters without direct "
             "access only, and is refused then"},
    {"NCCL_IB_DISABLE", SWITCH(no_ib),
     .help = "1 for sockets between nodes (nccl.socket_GBps)"},
    {"NCCL_CROSS_NIC", KEY_OTHER, .untimed = true,
     .help = "0 for rings that enter a node by the NIC at which they leave the "
             "one before; 1 or 2 for others"},
    {"NCCL_COLLNET_ENABLE", SWITCH(collnet),
     .help = "1 for switches that add, if the network has them "
             "(network.reduces)"},
    {"NCCL_NVLS_ENABLE", KEY_OTHER, .untimed = true,
     .help = "0 for no NVLS, 1 or 2 for NVLS where there is"},
    {"NCCL_PAT_ENABLE", KEY_OTHER, .untimed = true,
     .help = "0 for no PAT, 2 for PAT on nodes of one GPU"},
    {"NCCL_PXN_DISABLE", KEY_OTHER, .untimed = true,
     .help = "1 for sends through the GPU's own NIC, 0 for others also where "
             "RCCL would have none"},
};
#undef AT
const struct key_table nccl_settings_keys = {
    "nccl.settings", "NCCL's environment variables, with its meaning",
    KEY_ROWS(setting_rows), KEY_NO_CASES, .benchmark = NULL};

/* Variables that NCCL has and that change nothing here, and the reason. */
static const struct {
    const char *name, *why;
} refused[] = {
    {"NCCL_NET_GDR_LEVEL", "a platform's tables of messages between nodes say "
                           "how GPUs reach NICs"},
    {"NCCL_NET_GDR_READ", "a platform's tables of messages between nodes say "
                          "how GPUs reach NICs"},
    {"NCCL_IB_HCA", "a platform has the NICs that NCCL may use "
                    "(--set node.nics=...)"},
    {"NCCL_SOCKET_IFNAME", "a platform has no names of interfaces"},
    {"NCCL_TOPO_FILE", "a platform is the topology (sluice discover reads "
                       "such files)"},
    {"NCCL_TUNER_PLUGIN", "plug-ins are code; NCCL_ALGO and NCCL_PROTO select "
                          "what they would"},
    {"NCCL_NET_PLUGIN", "plug-ins are code; a platform has the network's "
                        "numbers"},
    {"NCCL_NTHREADS", "beta is that of a channel with NCCL's own number of "
                      "threads"},
    {"NCCL_DEBUG", "it changes what NCCL prints alone"},
};

static const char *refusal(const char *name)
{
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        if (!strcmp(name, refused[i].name))
            return refused[i].why;
    return NULL;
}

static void fail_unknown(const char *name, struct err *err)
{
    const struct key_table *known = &nccl_settings_keys;
    const char **names = xcalloc(known->n, sizeof *names);

    for (size_t i = 0; i < known->n; i++)
        names[i] = known->rows[i].key;
    char *list = known_hint("", names, known->n, "sluice list keys");
    (void)fail(err, "--nccl %s: not modelled%s", name, list);
    free(list);
    free(names);
}

/* The names that NCCL knows, also those of algorithms without a model here,
 * because a list may exclude them. */
static const char *const nccl_algorithms[] = {
    "Tree", "Ring", "CollnetDirect", "CollnetChain", "NVLS", "NVLSTree", "PAT"};
static const char *const nccl_protocols[] = {"LL", "LL128", "Simple"};

static bool is_among(const char *const *names, size_t n, const char *word)
{
    for (size_t i = 0; i < n; i++)
        if (!strcasecmp(names[i], word))
            return true;
    return false;
}

/* Refuses a list such as "Ring,Tree" or "^NVLS" with a name that NCCL does not
 * know, because NCCL would ignore that name. */
static int check_list(const char *key, const char *what, const char *list,
                      const char *const *names, size_t n, struct err *err)
{
    char *copy = xstrdup(list ? list + (*list == '^') : names[0]);
    char *rest = copy, *word;
    int result = 0;

    while (result == 0 && (word = strsep(&rest, ",")))
        if (!is_among(names, n, word)) {
            char *hint = known_hint(word, names, n, "sluice list keys");
            result = fail(err, "%s: unknown %s %s%s", key, what,
                          *word ? word : "''", hint);
            free(hint);
        }
    free(copy);
    return result;
}

static int check_lists(const struct nccl_settings *s, struct err *err)
{
    if (check_list("NCCL_ALGO", "algorithm", s->algorithms, nccl_algorithms,
                   sizeof nccl_algorithms / sizeof *nccl_algorithms, err) < 0)
        return -1;
    return check_list("NCCL_PROTO", "protocol", s->protocols, nccl_protocols,
                      sizeof nccl_protocols / sizeof *nccl_protocols, err);
}

static int read_switch(const struct json *o, const char *key, unsigned most,
                       unsigned *out, struct err *err)
{
    return json_member(o, key) ? read_unsigned(o, key, 0, most, out, err) : 0;
}

int read_nccl_settings(struct nccl_settings *s, const struct json *o,
                       struct err *err)
{
    unsigned nvls = 2, pat = 2, cross = 2, no_pxn = 2;

    if (keys_read(&nccl_settings_keys, s, o, 0, err) < 0 ||
        check_lists(s, err) < 0 ||
        read_switch(o, "NCCL_NVLS_ENABLE", 2, &nvls, err) < 0 ||
        read_switch(o, "NCCL_PAT_ENABLE", 2, &pat, err) < 0 ||
        read_switch(o, "NCCL_CROSS_NIC", 2, &cross, err) < 0 ||
        read_switch(o, "NCCL_PXN_DISABLE", 1, &no_pxn, err) < 0)
        return -1;
    s->pxn = no_pxn > 1 ? NCCL_PXN_UNSET : no_pxn ? NCCL_PXN_OFF : NCCL_PXN_ON;
    s->no_nvls = !nvls;
    s->no_pat = !pat;
    s->same_rail = !cross;
    s->no_p2p |= s->p2p_level == NCCL_LEVEL_LOC;
    return 0;
}

/* Returns the name of a level that is given as a number of older versions of
 * NCCL (user guide, NCCL_P2P_LEVEL), or the value itself. */
static const char *level_of(const char *value)
{
    static const enum nccl_level old[] = {NCCL_LEVEL_LOC, NCCL_LEVEL_PIX,
                                          NCCL_LEVEL_PXB, NCCL_LEVEL_PHB,
                                          NCCL_LEVEL_SYS};
    enum { NOLD = sizeof old / sizeof *old };
    uint64_t number;

    if (!number_whole(value, &number))
        return value;
    return levels[old[number < NOLD ? number : NOLD - 1]];
}

/* Refuses a value that the variable does not have on any machine. Words are
 * texts, even of digits, so that the error lists those that are known. */
static int check_value(const struct key *k, const char *setting,
                       const char *value, struct err *err)
{
    struct nccl_settings read = {0};
    struct json *doc = json_new_object();
    int result = 0;

    if (k->kind == KEY_TEXT || k->kind == KEY_WORD)
        json_replace(doc, k->key, json_new_string(value));
    else
        result = json_set(doc, setting, err);
    if (result == 0)
        result = read_nccl_settings(&read, doc, err);
    keys_free(&nccl_settings_keys, &read);
    json_free(doc);
    return result;
}

char *nccl_setting_path(const char *setting, bool *modelled, struct err *err)
{
    size_t length = strcspn(setting, "=");
    char *name = xasprintf("%.*s", (int)length, setting), *path = NULL;
    const char *value = setting + length + (setting[length] == '=');
    const char *why = refusal(name);
    const struct key *k = why ? NULL : key_find(&nccl_settings_keys, name);

    *modelled = k;
    if (why)
        (void)fail(err, "--nccl %s: not modelled: %s", name, why);
    else if (!k)
        fail_unknown(name, err);
    else if (!setting[length])
        (void)fail(err, "--nccl %s: expected KEY=VALUE", setting);
    else {
        if (k->words == levels)
            value = level_of(value);
        if (check_value(k, setting, value, err) < 0)
            (void)fail_in(err, "--nccl %s", setting);
        else
            path = xasprintf("nccl.settings.%s=%s", name, value);
    }
    free(name);
    return path;
}

/* --- what they change ----------------------------------------------------- */

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

/* A slot of Simple is an equal part of the buffer, and chunks of others are not
 * longer than that, but NVLS's, which has a buffer of its own (transport/
 * nvls.cc). */
static void apply_buffer(struct nccl_model *n)
{
    static const enum nccl_protocol_kind limited[] = {NCCL_P2P, NCCL_PAT,
                                                      NCCL_COLLNET};
    unsigned slot_B = n->settings.buffer_B / n->slots;

    n->protocols[NCCL_SIMPLE].slot_B = slot_B;
    for (size_t i = 0; i < sizeof limited / sizeof *limited; i++) {
        struct nccl_protocol *p = &n->protocols[limited[i]];
        p->slot_B = least(p->slot_B, slot_B);
    }
}

/* A chunk of a send is not longer than a slot. A shorter one than NCCL's own is
 * refused: each chunk has a cost that is not known, so that short ones would
 * only shorten a send. */
static int apply_chunks(struct nccl_model *n, struct err *err)
{
    struct nccl_settings *s = &n->settings;
    unsigned slot_B = n->protocols[NCCL_P2P].slot_B;
    const struct {
        const char *name;
        unsigned *set_B, own_B;
    } chunks[] = {
        {"NVL", &s->nvlink_chunk_B, slot_B},
        {"PCI", &s->pcie_chunk_B, slot_B / NCCL_SHORTER_CHUNKS},
        {"NET", &s->net_chunk_B, slot_B / NCCL_SHORTER_CHUNKS},
    };

    for (size_t i = 0; i < sizeof chunks / sizeof *chunks; i++) {
        if (*chunks[i].set_B && *chunks[i].set_B < chunks[i].own_B)
            return fail(err,
                        "settings.NCCL_P2P_%s_CHUNKSIZE: not modelled below "
                        "%u: the cost of a chunk is not known",
                        chunks[i].name, chunks[i].own_B);
        *chunks[i].set_B = least(*chunks[i].set_B, slot_B);
    }
    return 0;
}

/* Gives a node's link to the network the rate of sockets, and messages of NCCL
 * their time. NICs keep theirs, because sockets use those that a node has
 * whatever GPUs send. */
static int apply_sockets(struct machine *m, struct err *err)
{
    unsigned rails = m->network.rails ? m->network.rails : 1;

    if (!(m->nccl.socket_Bps > 0))
        return fail(err, "settings.NCCL_IB_DISABLE: the platform has no "
                         "nccl.socket_GBps");
    m->network.bandwidth_Bps =
        fmin(m->network.bandwidth_Bps, m->nccl.socket_Bps / rails);
    for (int p = 0; p < NNCCL_RUNTIMES; p++)
        for (int path = 0; path < NPATHS; path++) {
            struct message_table *t =
                &m->messages[RUNTIME_NCCL_SIMPLE + p][path][OFF_NODE];
            for (size_t i = 0; i < t->nsegments; i++)
                t->segments[i].alpha_s += m->nccl.socket_s;
        }
    return 0;
}

/* Refuses numbers of channels that the library does not have. */
static int check_channels(const struct machine *m, struct err *err)
{
    const struct nccl_settings *s = &m->nccl.settings;
    const struct {
        const char *name;
        unsigned channels, most;
    } set[] = {
        {"NCCL_MIN_NCHANNELS", s->min_channels, s->max_channels},
        {"NCCL_MAX_NCHANNELS", s->max_channels, 0},
        {"NCCL_MIN_P2P_NCHANNELS", s->min_p2p_channels, s->max_p2p_channels},
        {"NCCL_MAX_P2P_NCHANNELS", s->max_p2p_channels, 0},
        {"NCCL_NCHANNELS_PER_NET_PEER", s->net_peer_channels, 0}};
    bool rccl = nccl_generation_by(m->gpu.arch) >= RCCL_MI200;
    unsigned all = rccl ? RCCL_CHANNELS : NCCL_CHANNELS;

    for (size_t i = 0; i < sizeof set / sizeof *set; i++) {
        unsigned most = set[i].most ? least(set[i].most, all) : all;
        if (set[i].channels > most)
            return fail(err, "settings.%s: expected at most %u%s, got %u",
                        set[i].name, most,
                        most < all ? ", the most that are set" : "",
                        set[i].channels);
    }
    return 0;
}

int nccl_settings_apply(struct machine *m, struct err *err)
{
    const struct nccl_settings *s = &m->nccl.settings;

    if (check_channels(m, err) < 0)
        return -1;
    if (s->no_p2p && s->no_shm)
        return fail(err, "settings.NCCL_SHM_DISABLE: without direct access "
                         "GPUs of a node would use the network, which has no "
                         "model");
    if (s->no_p2p && !machine_gpu_links_by_pcie(m, 1))
        return fail(err, "settings.NCCL_P2P_DISABLE: its GPUs have no links "
                         "that are faster than PCIe");
    if (s->buffer_B)
        apply_buffer(&m->nccl);
    if (apply_chunks(&m->nccl, err) < 0)
        return -1;
    return s->no_ib ? apply_sockets(m, err) : 0;
}
