/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws a machine: the node, and below it the levels of the network, with the
 * first few parts of each. */
#include "cli/draw.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    SHOWN = 6,
    CHASSIS = 3,
    PART = 74,
    STEP = 92,
    MARGIN = 24,
    LEVEL = 78,
    ROWS = 10
};

static const char style[] =
    ".drawing{font-family:system-ui,'DejaVu Sans',sans-serif;font-size:12px;"
    "background:#fff}\n"
    ".drawing text{fill:#1b2733;text-anchor:middle}\n"
    ".drawing .title{font-size:15px;font-weight:600;text-anchor:start}\n"
    ".drawing .legend,.drawing .beside{text-anchor:start}\n"
    ".drawing .name{font-weight:600}\n"
    ".drawing .words{font-size:10px}\n"
    ".drawing .rate{font-size:9px;stroke:#fff;stroke-width:3px;"
    "paint-order:stroke;stroke-linejoin:round}\n"
    ".drawing rect{stroke:#4a5a6a;stroke-width:1;fill:#eef2f5}\n"
    ".drawing .socket rect{fill:#dcebf7}.drawing .gpu rect{fill:#dff0d8}\n"
    ".drawing .nic rect{fill:#fde9c8}.drawing .switch rect{fill:#ece3f4}\n"
    ".drawing path{fill:none;stroke-width:2}\n"
    ".drawing .link{stroke:#8a98a5;stroke-width:1}\n"
    ".drawing .t0{stroke:#0b6fa4}.drawing .t1{stroke:#b5541c}"
    ".drawing .t2{stroke:#2f7d3b}.drawing .t3{stroke:#8a4fa3}"
    ".drawing .t4{stroke:#a6761d}.drawing .t5{stroke:#c2416b}"
    ".drawing .t6{stroke:#3d6ad6}.drawing .t7{stroke:#666}\n"
    "@media (prefers-color-scheme:dark){\n"
    ".drawing{background:#12181f}.drawing text{fill:#e4eaf0}\n"
    ".drawing .rate{stroke:#12181f}.drawing rect{fill:#232d37;stroke:#8795a3}\n"
    ".drawing .socket rect{fill:#17364d}.drawing .gpu rect{fill:#1d3d22}\n"
    ".drawing .nic rect{fill:#4a3510}.drawing .switch rect{fill:#36264a}\n"
    ".drawing .t0{stroke:#5db3e6}.drawing .t1{stroke:#f0945a}"
    ".drawing .t2{stroke:#74c97f}.drawing .t3{stroke:#c59ae0}"
    ".drawing .t4{stroke:#e0b95a}.drawing .t5{stroke:#f08aac}"
    ".drawing .t6{stroke:#8faaff}.drawing .t7{stroke:#aaa}}\n";

void draw_escaped(FILE *to, const char *text)
{
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        const char *as = c == '<'    ? "&lt;"
                         : c == '>'  ? "&gt;"
                         : c == '&'  ? "&amp;"
                         : c == '"'  ? "&quot;"
                         : c == '\'' ? "&#39;"
                         : c < 0x20  ? "?"
                                     : NULL;
        if (as)
            fputs(as, to);
        else
            putc(c, to);
    }
}

/* --- levels --------------------------------------------------------------- */

/* A row of parts of the same kind; the rows are from the top down. */
struct level {
    /* The number of parts in the whole machine, or in one of the row above. */
    double n;
    const char *one; /* the name of one part: "switch" */
    double first;    /* the number of the first part */
    char *words;     /* the text beside the row */
    /* Each part is connected with all of the row above, not with one. */
    bool all;
    bool each_other; /* the parts are connected with each other */
    bool ring;       /* each with the next, and the last with the first */
    bool of_first;   /* all belong to the first part of the row above */
    /* Each is connected with those at its place in other rows. */
    bool same_place;
    bool inside; /* the row lies inside the first part of the top row */
};

struct levels {
    struct level rows[ROWS];
    unsigned n;
};

static struct level *add_level(struct levels *l, double n, const char *one,
                               char *words)
{
    struct level *row = &l->rows[l->n++];

    *row = (struct level){.n = n, .one = one, .words = words};
    return row;
}

static void tree_levels(struct levels *l, const struct network *net)
{
    double gbps = net->bandwidth_Bps / 1e9;

    for (unsigned i = net->levels; i-- > 0;) {
        double n = 1;
        for (unsigned k = 0; k < net->levels; k++)
            n *= k <= i ? net->up[k] : net->down[k];
        struct level *row = add_level(
            l, n, "switch",
            xasprintf("level %u: %.0f switches%s, each %u down, by %u x %g "
                      "GB/s each way",
                      i + 1, n,
                      net->topology == TOPOLOGY_RAILS && !net->joined
                          ? " of each rail"
                          : "",
                      net->down[i], net->parallel[i], gbps));
        row->all = i + 1 < net->levels && net->up[i + 1] > 1;
    }
}

static struct level *add_groups(struct levels *l, const struct network *net)
{
    struct level *row = add_level(
        l, net->down[0], "group",
        xasprintf("%u groups, each two joined by %u x %g GB/s", net->down[0],
                  net->group_wires ? net->group_wires : 1,
                  net->bandwidth_Bps / 1e9));

    row->each_other = true;
    return row;
}

/* Adds the nodes of the first part of the row above. */
static void add_nodes_of(struct levels *l, const struct network *net,
                         unsigned each, const char *of)
{
    double first = each * l->rows[l->n - 1].first;
    struct level *row =
        add_level(l, each, "node",
                  xasprintf("%u %s at each %s, by %g GB/s; %u in all", each,
                            each == 1 ? "node" : "nodes", of,
                            net->bandwidth_Bps / 1e9, net->nodes));

    row->of_first = true;
    row->first = first;
}

/* Returns the text on the links of a row of routers: in its chassis and, for
 * the second row, with other chassis. The caller frees it. */
static char *words_of_routers(const struct network *net, unsigned row)
{
    double gbps = net->bandwidth_Bps / 1e9;
    const char *of = net->down[1] > 1 ? "chassis" : "group";

    if (row == 0)
        return xasprintf("%u routers in each %s, each two joined by %u x %g "
                         "GB/s",
                         net->down[2], of, net->parallel[2], gbps);
    if (row == 1)
        return xasprintf("%u chassis in each group, routers of one place "
                         "joined by %u x %g GB/s",
                         net->down[1], net->parallel[1], gbps);
    return xasprintf("%s", net->down[1] > CHASSIS ? "... and so on" : "");
}

/* Adds a group's routers, with a row for each of the first chassis. */
static void dragonfly_levels(struct levels *l, const struct network *net)
{
    unsigned n = net->down[1] < CHASSIS ? net->down[1] : CHASSIS;

    add_groups(l, net);
    for (unsigned i = 0; i < n; i++) {
        struct level *row =
            add_level(l, net->down[2], "router", words_of_routers(net, i));
        row->each_other = row->inside = true;
        row->same_place = i > 0;
        row->first = i * (double)net->down[2];
    }
    add_nodes_of(l, net, net->down[3], "router");
}

/* Adds groups whose leaf switches are connected by spine switches. */
static void spine_levels(struct levels *l, const struct network *net)
{
    add_groups(l, net);
    add_level(l, net->up[1], "spine",
              xasprintf("%u spine switches in each group", net->up[1]))
        ->inside = true;
    struct level *row = add_level(
        l, net->down[1], "leaf",
        xasprintf("%u leaf switches in each group, joined with each "
                  "spine by %u x %g GB/s",
                  net->down[1], net->parallel[1], net->bandwidth_Bps / 1e9));
    row->all = row->inside = true;
    add_nodes_of(l, net, net->down[2], "leaf");
}

static void torus_levels(struct levels *l, const struct network *net)
{
    char *words = xstrdup("torus of");
    double nodes = 1;

    for (unsigned i = 0; i < net->levels; i++) {
        char *more = xasprintf("%s%s%u", words, i ? " x " : " ", net->down[i]);
        free(words);
        words = more;
        nodes *= net->down[i];
    }
    char *all = xasprintf("%s: each with its two neighbours in each dimension, "
                          "by %g GB/s each way",
                          words, net->bandwidth_Bps / 1e9);
    free(words);
    add_level(l, nodes, "router", all)->ring = true;
}

static void find_levels(struct levels *l, const struct network *net)
{
    double gbps = net->bandwidth_Bps / 1e9;
    double nodes = net->nodes;

    if (net->topology == TOPOLOGY_FAT_TREE || net->topology == TOPOLOGY_RAILS)
        tree_levels(l, net);
    else if (net->topology == TOPOLOGY_TORUS)
        torus_levels(l, net);
    else if (net->topology == TOPOLOGY_DRAGONFLY)
        dragonfly_levels(l, net);
    else if (net->topology == TOPOLOGY_DRAGONFLY_PLUS)
        spine_levels(l, net);
    else
        add_level(l, 1, "crossbar",
                  xasprintf("one switch, to each node %g GB/s each way", gbps));
    if (!l->rows[l->n - 1].of_first)
        add_level(l, nodes, "node", xasprintf("%.0f nodes", nodes));
}

/* --- drawing -------------------------------------------------------------- */

static unsigned shown(const struct level *l)
{
    return l->n < SHOWN ? (unsigned)l->n : SHOWN;
}

static double part_x(const struct level *l, unsigned i)
{
    return MARGIN + PART / 2.0 + STEP * (i + (SHOWN - shown(l)) / 2.0);
}

/* Returns whether part d of a row is drawn with a link to part u of the row
 * above. */
static bool is_joined(const struct level *up, unsigned u,
                      const struct level *down, unsigned d)
{
    if (down->all)
        return true;
    if (down->of_first)
        return u == 0;
    if (down->same_place)
        return u == d;
    return !down->inside && u == d * shown(up) / shown(down);
}

static void draw_links(FILE *to, const struct level *up,
                       const struct level *down, double y)
{
    for (unsigned d = 0; d < shown(down); d++)
        for (unsigned u = 0; u < shown(up); u++)
            if (is_joined(up, u, down, d))
                fprintf(to,
                        "<path class=\"link%s\" d=\"M%.1f %.1fL%.1f "
                        "%.1f\"/>",
                        down->same_place ? " t2" : "", part_x(up, u), y + 28,
                        part_x(down, d), y + LEVEL);
    fputc('\n', to);
}

/* Draws the links to the row two above, beside the row between. */
static void draw_same_place(FILE *to, const struct level *l, double y)
{
    for (unsigned i = 0; i < shown(l); i++) {
        double x = part_x(l, i), from = y - 2 * LEVEL + 28;
        fprintf(to,
                "<path class=\"link t2\" d=\"M%.1f %.1fQ%.1f %.1f %.1f "
                "%.1f\"/>",
                x + 12, from, x + STEP - 12.0, (from + y) / 2, x + 12, y);
    }
    fputc('\n', to);
}

/* Draws the frame around the parts of the first group, with two lines that lead
 * to it. */
static void draw_inside(FILE *to, const struct levels *l, double y)
{
    unsigned n = 0;
    double left = MARGIN - 14, right = MARGIN + STEP * SHOWN;

    while (n + 1 < l->n && l->rows[n + 1].inside)
        n++;
    if (!n)
        return;
    double top = y + 44, x = part_x(&l->rows[0], 0);
    fprintf(to,
            "<path class=\"link\" stroke-dasharray=\"4 3\" d=\"M%.1f %.1fH%.1f"
            "V%.1fH%.1fZM%.1f %.1fL%.1f %.1fM%.1f %.1fL%.1f %.1f\"/>\n",
            left, top, right, y + LEVEL * n + 36, left, x - PART / 2.0, y + 28,
            left, top, x + PART / 2.0, y + 28, right, top);
}

static void draw_each_other(FILE *to, const struct level *l, double y)
{
    for (unsigned a = 0; a < shown(l); a++)
        for (unsigned b = a + 1; b < shown(l); b++)
            if (l->each_other || b == a + 1 || b == a + shown(l) - 1)
                fprintf(to,
                        "<path class=\"link\" d=\"M%.1f %.1fQ%.1f %.1f %.1f "
                        "%.1f\"/>",
                        part_x(l, a), y, (part_x(l, a) + part_x(l, b)) / 2,
                        y - 6 - 7.0 * (b - a), part_x(l, b), y);
    fputc('\n', to);
}

static double draw_level(FILE *to, const struct level *l, double y)
{
    for (unsigned i = 0; i < shown(l); i++) {
        bool last = i + 1 == shown(l) && l->n > shown(l);
        fprintf(to,
                "<g class=\"device %s\"><rect x=\"%.1f\" y=\"%.1f\" "
                "width=\"%d\" height=\"28\" rx=\"4\"/><text class=\"name\" "
                "x=\"%.1f\" y=\"%.1f\">",
                l->one[0] == 'n' ? "socket" : "switch",
                part_x(l, i) - PART / 2.0, y, PART, part_x(l, i), y + 18);
        if (last)
            fprintf(to, "... %.0f", l->first + l->n - 1);
        else
            fprintf(to, "%s %.0f", l->one, l->first + i);
        fprintf(to, "</text></g>\n");
    }
    double x = MARGIN + STEP * SHOWN + 10;
    fprintf(to, "<text class=\"legend\" x=\"%.1f\" y=\"%.1f\">", x, y + 18);
    draw_escaped(to, l->words);
    fprintf(to, "</text>\n");
    return x;
}

double draw_network(FILE *to, const struct machine *m, double top,
                    double *width)
{
    struct levels l = {.n = 0};
    double y = top;

    find_levels(&l, &m->network);
    y += l.rows[0].each_other || l.rows[0].ring ? 62 : 30;
    fprintf(to,
            "<text class=\"title\" x=\"%d\" y=\"%.1f\">network: %s</text>\n",
            MARGIN, top + 12, topology_names[m->network.topology]);
    draw_inside(to, &l, y);
    for (unsigned i = 0; i + 1 < l.n; i++)
        draw_links(to, &l.rows[i], &l.rows[i + 1], y + LEVEL * i);
    for (unsigned i = 0; i < l.n; i++) {
        struct level *row = &l.rows[i];
        if (row->each_other || row->ring)
            draw_each_other(to, row, y + LEVEL * i);
        if (row->same_place && l.rows[i - 1].same_place)
            draw_same_place(to, row, y + LEVEL * i);
        double right = draw_level(to, row, y + LEVEL * i);
        *width = fmax(*width, right + 6.6 * (double)strlen(row->words));
        free(row->words);
    }
    return y + LEVEL * l.n;
}

void draw_machine(FILE *to, const struct machine *m, bool with_network)
{
    char *body = NULL;
    size_t size = 0;
    double width = 0;
    FILE *out = open_memstream(&body, &size);

    if (!out)
        err_no_memory("a drawing");
    double y = draw_node(out, m, &width);
    double height = with_network ? draw_network(out, m, y + 24, &width) : y;
    fclose(out);
    fprintf(to,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"drawing\" "
            "role=\"img\" width=\"%.0f\" height=\"%.0f\" viewBox=\"0 0 %.0f "
            "%.0f\">\n<title>",
            width + MARGIN, height, width + MARGIN, height);
    draw_escaped(to, m->name);
    fprintf(to, ": a node%s</title>\n<style>%s</style>\n",
            with_network ? " and the network" : "", style);
    fprintf(to, "<text class=\"title\" x=\"%d\" y=\"30\">", MARGIN);
    draw_escaped(to, m->name);
    fprintf(to, ": a node has %u cores and %u GPUs</text>\n%s</svg>\n",
            m->ncores, m->ngpus, body);
    free(body);
}
