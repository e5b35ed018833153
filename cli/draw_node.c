/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws a node: sockets with their devices below, NICs at the device that they
 * are wired to, and each direction of each wire. */
#include "cli/draw.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    CELL = 112, /* width of a GPU with its gap */
    BOX = 78,
    SOCKET_WIDTH = 200,
    MARGIN = 40,
    DEPTHS = 8,    /* most levels of switches below a socket */
    LABELLED = 48, /* most wires that are labelled with their bandwidth */
    /* This is no index, because there are at most MACHINE_DEVICES. */
    NO_DEVICE = UINT16_MAX
};

/* Rows of the drawing, from top to bottom. */
enum row { ROW_TOP, ROW_SOCKET, ROW_SWITCH, ROW_GPU, ROW_BELOW, ROW_FABRIC };

struct spot {
    enum row row;
    unsigned depth; /* a switch's distance in wires from a socket */
    /* The device that it is drawn below (in ROW_TOP above), or NO_DEVICE. */
    unsigned parent;
    double x, y, w, h; /* x is its middle */
};

struct layout {
    const struct machine *m;
    struct spot *at;
    double right; /* the left edge for the next device */
    unsigned deepest;
    unsigned socket_span, gpu_span; /* reach of the longest arcs, in devices */
};

static unsigned other_end(const struct wire *w, unsigned device)
{
    return w->ends[0] == device   ? w->ends[1]
           : w->ends[1] == device ? w->ends[0]
                                  : NO_DEVICE;
}

/* --- rows ----------------------------------------------------------------- */

/* Sets the depths of switches from the sockets downwards, each one more than
 * that of a switch above it. */
static void find_depths(struct layout *l)
{
    const struct machine *m = l->m;

    for (unsigned depth = 1; depth < DEPTHS; depth++)
        for (size_t i = 0; i < 2 * m->nwires; i++) {
            unsigned up = m->wires[i / 2].ends[i % 2];
            unsigned down = m->wires[i / 2].ends[1 - i % 2];
            bool above = m->devices[up].kind == DEVICE_SOCKET
                             ? depth == 1
                             : m->devices[up].kind == DEVICE_SWITCH &&
                                   l->at[up].depth == depth - 1 && depth > 1;
            if (!above || m->devices[down].kind != DEVICE_SWITCH ||
                l->at[down].depth)
                continue;
            l->at[down] = (struct spot){ROW_SWITCH, depth, up, 0, 0, 0, 0};
            l->deepest = depth;
        }
}

/* Returns the device of a kind that a wire joins with this one, the deepest if
 * there are several. */
static unsigned wired_to(const struct layout *l, unsigned device,
                         enum device_kind kind)
{
    unsigned found = NO_DEVICE;

    for (size_t i = 0; i < l->m->nwires; i++) {
        unsigned to = other_end(&l->m->wires[i], device);
        if (to == NO_DEVICE || l->m->devices[to].kind != kind ||
            (kind == DEVICE_SWITCH && !l->at[to].depth))
            continue;
        if (found == NO_DEVICE || l->at[to].depth > l->at[found].depth)
            found = to;
    }
    return found;
}

static unsigned socket_device(const struct machine *m, unsigned socket)
{
    for (unsigned i = 0; i < m->ndevices; i++)
        if (m->devices[i].kind == DEVICE_SOCKET &&
            m->devices[i].index == socket)
            return i;
    return NO_DEVICE;
}

static struct spot spot_of(const struct layout *l, unsigned i)
{
    const struct device *d = &l->m->devices[i];
    unsigned by_switch = wired_to(l, i, DEVICE_SWITCH);
    unsigned gpu =
        d->kind == DEVICE_NIC ? wired_to(l, i, DEVICE_GPU) : NO_DEVICE;
    unsigned parent =
        by_switch != NO_DEVICE ? by_switch : socket_device(l->m, d->socket);

    if (d->kind == DEVICE_SOCKET)
        return (struct spot){.row = ROW_SOCKET, .parent = NO_DEVICE};
    if (d->kind == DEVICE_SWITCH)
        return l->at[i].depth
                   ? l->at[i]
                   : (struct spot){.row = ROW_FABRIC, .parent = NO_DEVICE};
    if (gpu != NO_DEVICE)
        return (struct spot){.row = ROW_BELOW, .parent = gpu};
    if (d->kind == DEVICE_NIC && by_switch == NO_DEVICE)
        return (struct spot){.row = ROW_TOP, .parent = parent};
    return (struct spot){.row = ROW_GPU, .parent = parent};
}

/* --- places --------------------------------------------------------------- */

/* Places the subtree of a device: leaves from left to right, and each parent
 * above the middle of its children. */
static void place_below(struct layout *l, unsigned device)
{
    double left = l->right;

    for (unsigned i = 0; i < l->m->ndevices; i++)
        if (l->at[i].parent == device &&
            (l->at[i].row == ROW_SWITCH || l->at[i].row == ROW_GPU))
            place_below(l, i);
    if (l->right == left)
        l->right += CELL;
    l->at[device].x = (left + l->right) / 2;
    l->at[device].w = BOX;
}

static void place_socket(struct layout *l, unsigned socket)
{
    double left = l->right;
    unsigned nics = 0, n = 0;

    place_below(l, socket);
    for (unsigned i = 0; i < l->m->ndevices; i++)
        nics += l->at[i].row == ROW_TOP && l->at[i].parent == socket;
    double wanted = fmax(SOCKET_WIDTH, (double)nics * CELL);
    double more = fmax(0, left + wanted + MARGIN - l->right);
    /* Moves placed devices to the middle of the wider box. */
    for (unsigned i = 0; i < l->m->ndevices; i++)
        if (l->at[i].x > left)
            l->at[i].x += more / 2;
    l->right += more;
    l->at[socket].w = l->right - left - MARGIN;
    for (unsigned i = 0; i < l->m->ndevices; i++)
        if (l->at[i].row == ROW_TOP && l->at[i].parent == socket) {
            l->at[i].x =
                l->at[socket].x + ((double)n++ - (nics - 1) / 2.0) * CELL;
            l->at[i].w = BOX;
        }
}

static void place_others(struct layout *l)
{
    const struct machine *m = l->m;
    unsigned fabrics = 0, n = 0;

    for (unsigned i = 0; i < m->ndevices; i++)
        fabrics += l->at[i].row == ROW_FABRIC;
    for (unsigned i = 0; i < m->ndevices; i++) {
        struct spot *s = &l->at[i];
        unsigned same = 0, before = 0;
        if (s->row == ROW_FABRIC) {
            double step = (l->right - MARGIN) / fabrics;
            s->w = step - 14;
            s->x = MARGIN / 2.0 + (n++ + 0.5) * step;
        }
        for (unsigned k = 0; s->row == ROW_BELOW && k < m->ndevices; k++)
            if (l->at[k].row == ROW_BELOW && l->at[k].parent == s->parent) {
                same++;
                before += k < i;
            }
        if (same) {
            s->w = same > 1 ? (CELL - 8.0) / same - 4 : BOX;
            s->x = l->at[s->parent].x +
                   (before - (same - 1) / 2.0) * (CELL - 8.0) / same;
        }
    }
}

/* Counts the devices of a row that stand between two of that row. */
static unsigned drawn_between(const struct layout *l, unsigned a, unsigned b)
{
    double left = fmin(l->at[a].x, l->at[b].x);
    double right = fmax(l->at[a].x, l->at[b].x);
    unsigned n = 0;

    for (unsigned i = 0; i < l->m->ndevices; i++)
        n += l->at[i].row == l->at[a].row && l->at[i].x > left &&
             l->at[i].x < right;
    return n;
}

static void find_spans(struct layout *l)
{
    for (size_t i = 0; i < l->m->nwires; i++) {
        const unsigned *e = l->m->wires[i].ends;
        if (l->at[e[0]].row != l->at[e[1]].row)
            continue;
        unsigned n = drawn_between(l, e[0], e[1]);
        unsigned *span =
            l->at[e[0]].row == ROW_SOCKET ? &l->socket_span : &l->gpu_span;
        if (l->at[e[0]].row == ROW_SOCKET || l->at[e[0]].row == ROW_GPU)
            *span = n > *span ? n : *span;
    }
}

static double arc_height(unsigned n)
{
    return n ? fmin(24 + 14.0 * n, 150) : 0;
}

/* Places the rows from top to bottom; returns the lower edge. */
static double place_rows(struct layout *l, double y)
{
    const struct machine *m = l->m;
    bool has[ROW_FABRIC + 1] = {false};
    double top[ROW_FABRIC + 1], switches;

    for (unsigned i = 0; i < m->ndevices; i++)
        has[l->at[i].row] = true;
    top[ROW_TOP] = y;
    y += has[ROW_TOP] ? 34 + 48 : 0;
    y += arc_height(l->socket_span) * 0.75;
    top[ROW_SOCKET] = y;
    y += 58;
    switches = y + 44;
    y += l->deepest * 76.0;
    top[ROW_SWITCH] = switches;
    top[ROW_GPU] = y + 54;
    y = has[ROW_GPU] ? top[ROW_GPU] + 44 : y;
    y += arc_height(l->gpu_span) * 0.75;
    top[ROW_BELOW] = y + 46;
    y = has[ROW_BELOW] ? top[ROW_BELOW] + 34 : y;
    top[ROW_FABRIC] = y + 66;
    y = has[ROW_FABRIC] ? top[ROW_FABRIC] + 32 : y;
    for (unsigned i = 0; i < m->ndevices; i++) {
        struct spot *s = &l->at[i];
        s->h = s->row == ROW_SOCKET ? 58 : s->row == ROW_GPU ? 44 : 32;
        s->y = top[s->row] + (s->row == ROW_SWITCH ? 76.0 * (s->depth - 1) : 0);
    }
    return y;
}

/* --- wires ---------------------------------------------------------------- */

struct curve {
    /* The middle is `bend` lower; 0 if the wire is straight. */
    double x0, y0, x1, y1, bend;
};

static double towards(double from, double half, double to)
{
    return fmax(from - half, fmin(from + half, to));
}

static struct curve wire_curve(const struct layout *l, const unsigned *ends)
{
    const struct spot *a = &l->at[ends[0]], *b = &l->at[ends[1]];

    if (a->y > b->y) {
        const struct spot *t = a;
        a = b;
        b = t;
    }
    if (a->y < b->y) { /* the wide one begins at the narrow one's place */
        double ax = towards(a->x, a->w / 2 - 10, b->x);
        double bx = towards(b->x, b->w / 2 - 10, ax);
        return (struct curve){ax, a->y + a->h, bx, b->y, 0};
    }
    if (a->x > b->x) {
        const struct spot *t = a;
        a = b;
        b = t;
    }
    unsigned n = drawn_between(l, ends[0], ends[1]);
    double edge = a->y + a->h;
    if (!n)
        return (struct curve){a->x + a->w / 2, a->y + a->h / 2, b->x - b->w / 2,
                              a->y + a->h / 2, 0};
    if (a->row == ROW_SOCKET)
        return (struct curve){a->x + 12, a->y, b->x - 12, a->y, -arc_height(n)};
    return (struct curve){a->x + 12, edge, b->x - 12, edge, arc_height(n)};
}

static void draw_candidate(FILE *to, struct curve c, double aside)
{
    double dx = c.x1 - c.x0, dy = c.y1 - c.y0;
    double length = fmax(1, hypot(dx, dy));
    double ox = -dy / length * aside, oy = dx / length * aside;

    fprintf(to, "M%.1f %.1f", c.x0 + ox, c.y0 + oy);
    if (c.bend == 0)
        fprintf(to, "L%.1f %.1f", c.x1 + ox, c.y1 + oy);
    else
        fprintf(to, "Q%.1f %.1f %.1f %.1f", (c.x0 + c.x1) / 2,
                c.y0 + c.bend * 1.5 + 2 * aside, c.x1 + ox, c.y1 + oy);
}

/* Returns the number of a wire's type, in order of first appearance. */
static unsigned type_of(const struct machine *m, size_t wire)
{
    unsigned n = 0;

    for (size_t i = 0; i < wire; i++) {
        size_t first = 0;
        while (strcmp(m->wires[first].type, m->wires[i].type) != 0)
            first++;
        if (!strcmp(m->wires[i].type, m->wires[wire].type))
            return n;
        n += first == i;
    }
    return n;
}

static void draw_wire(FILE *to, const struct layout *l, size_t i)
{
    const struct machine *m = l->m;
    const struct wire *w = &m->wires[i];
    struct curve c = wire_curve(l, w->ends);
    double gbps = w->bandwidth_Bps / 1e9;

    for (int back = 0; back < 2; back++) {
        const char *from = m->devices[w->ends[back]].id;
        const char *dest = m->devices[w->ends[1 - back]].id;
        fprintf(to, "<path class=\"wire t%u\" data-link=\"", type_of(m, i) % 8);
        draw_escaped(to, from);
        fprintf(to, "&gt;");
        draw_escaped(to, dest);
        fprintf(to, "\" d=\"");
        draw_candidate(to, c, back ? -2.2 : 2.2);
        fprintf(to, "\"><title>");
        draw_escaped(to, from);
        fprintf(to, " to ");
        draw_escaped(to, dest);
        fprintf(to, ": ");
        draw_escaped(to, w->type);
        fprintf(to, ", %g GB/s%s</title></path>\n", gbps,
                w->half_duplex ? " of both ways together" : "");
    }
}

static void draw_bandwidth(FILE *to, const struct layout *l, size_t i)
{
    struct curve c = wire_curve(l, l->m->wires[i].ends);
    bool level = c.bend != 0 || c.y0 == c.y1;
    /* The label is not in the middle of slanted wires, because wires cross
     * there. */
    double part = level ? 0.5 : 0.6;

    fprintf(to, "<text class=\"rate%s\" x=\"%.1f\" y=\"%.1f\">%.4g</text>\n",
            level ? "" : " beside",
            c.x0 + part * (c.x1 - c.x0) + (level ? 0 : 6),
            c.y0 + part * (c.y1 - c.y0) + 0.75 * c.bend +
                (c.bend == 0 && level ? -6 : 3),
            l->m->wires[i].bandwidth_Bps / 1e9);
}

/* --- devices -------------------------------------------------------------- */

static void draw_line(FILE *to, const char *class, double x, double y,
                      const char *text)
{
    fprintf(to, "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\">", class, x, y);
    draw_escaped(to, text);
    fprintf(to, "</text>");
}

/* Writes the text below a device's name. */
static void device_words(const struct device *d, char *buf, size_t size)
{
    buf[0] = '\0';
    if (d->kind == DEVICE_SOCKET && d->memory_Bps > 0)
        snprintf(buf, size, "%u cores, memory %.4g GB/s", d->cores,
                 d->memory_Bps / 1e9);
    else if (d->kind == DEVICE_SOCKET)
        snprintf(buf, size, "%u cores", d->cores);
    else if (d->memory_B > 0)
        snprintf(buf, size, "%.4g GiB", d->memory_B / 0x1p30);
}

static void draw_device(FILE *to, const struct device *d, const struct spot *s)
{
    char words[80];

    device_words(d, words, sizeof words);
    fprintf(to, "<g class=\"device %s\" data-device=\"",
            device_kind_names[d->kind]);
    draw_escaped(to, d->id);
    fprintf(to, "\"><title>");
    draw_escaped(to, d->id);
    fprintf(to, ": %s%s%s</title>", device_kind_names[d->kind],
            *words ? ", " : "", words);
    fprintf(to,
            "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" "
            "rx=\"4\"/>",
            s->x - s->w / 2, s->y, s->w, s->h);
    draw_line(to, "name", s->x, s->y + s->h / 2 + (*words ? -3 : 4), d->id);
    if (*words)
        draw_line(to, "words", s->x, s->y + s->h / 2 + 12, words);
    fprintf(to, "</g>\n");
}

/* Draws a line of the legend for each type of wire. */
static double draw_legend(FILE *to, const struct machine *m, double y,
                          double *width)
{
    for (size_t i = 0; i < m->nwires; i++) {
        const struct wire *w = &m->wires[i];
        size_t first = 0;
        while (strcmp(m->wires[first].type, w->type) != 0)
            first++;
        if (first < i)
            continue;
        char *text =
            xasprintf("%s: %g GB/s %s%s", w->type, w->bandwidth_Bps / 1e9,
                      w->half_duplex ? "of both ways together" : "each way",
                      w->reduces ? ", its switch reduces" : "");
        fprintf(to, "<path class=\"key t%u\" d=\"M%d %.1fh34\"/>",
                type_of(m, i) % 8, MARGIN, y - 4);
        draw_line(to, "legend", MARGIN + 44, y, text);
        fputc('\n', to);
        *width = fmax(*width, MARGIN + 60 + 7.0 * (double)strlen(text));
        free(text);
        y += 18;
    }
    return y;
}

double draw_node(FILE *to, const struct machine *m, double *width)
{
    struct layout l = {.m = m, .right = MARGIN};

    l.at = xcalloc(m->ndevices + 1, sizeof *l.at);
    find_depths(&l);
    for (unsigned i = 0; i < m->ndevices; i++)
        l.at[i] = spot_of(&l, i);
    for (unsigned i = 0; i < m->ndevices; i++)
        if (l.at[i].row == ROW_SOCKET)
            place_socket(&l, i);
    place_others(&l);
    find_spans(&l);
    double bottom = place_rows(&l, 64);
    for (size_t i = 0; i < m->nwires; i++)
        draw_wire(to, &l, i);
    for (unsigned i = 0; i < m->ndevices; i++)
        draw_device(to, &m->devices[i], &l.at[i]);
    for (size_t i = 0; i < m->nwires && m->nwires <= LABELLED; i++)
        draw_bandwidth(to, &l, i);
    *width = fmax(*width, l.right);
    free(l.at);
    return draw_legend(to, m, bottom + 34, width);
}
