/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the lines of a GOAL schedule without its comments. */
#include "workloads/trace/goal.h"

/* Reads the comments that `sluice export --goal` writes. */
static void goal_comment(struct goal_lines *l, struct scan text)
{
    static const char gpu[] = "// memory of GPU ", exact[] = "// exactly ";
    size_t n = (size_t)(text.end - text.at);

    if (n > sizeof gpu - 1 && !memcmp(text.at, gpu, sizeof gpu - 1))
        l->in_gpu = true;
    if (n > sizeof exact - 1 && !memcmp(text.at, exact, sizeof exact - 1)) {
        double s;
        text.at += sizeof exact - 1;
        if (scan_real(&text, &s) && s >= 0)
            l->exact_s = s;
    }
}

/* Moves the position to after the end of a block comment. Returns false if the
 * comment has no end. */
static bool goal_skip_comment(struct goal_lines *l, const char *from)
{
    for (const char *c = from; c < l->end; c++) {
        l->line += *c == '\n';
        if (*c != '*' || c + 1 == l->end || c[1] != '/')
            continue;
        l->at = c + 2;
        return true;
    }
    return false;
}

static void goal_strip(struct scan *line)
{
    const char *slash = line->at;

    while ((slash = memchr(slash, '/', (size_t)(line->end - slash)))) {
        if (slash + 1 < line->end && slash[1] == '/') {
            line->end = slash;
            return;
        }
        slash++;
    }
}

int goal_line(struct goal_lines *l, struct scan *out)
{
    while (l->at < l->end) {
        const char *next;
        *out = scan_line(l->at, l->end, &next);
        l->line++;
        l->too_long = scan_is_long(*out);
        if (l->too_long)
            return -1;
        scan_blanks(out);
        l->at = next;
        if (out->at == out->end)
            continue;
        if (*out->at == '/' && out->end - out->at > 1 && out->at[1] == '/') {
            goal_comment(l, *out);
            continue;
        }
        if (*out->at == '/' && out->end - out->at > 1 && out->at[1] == '*') {
            l->line--;
            if (!goal_skip_comment(l, out->at + 2))
                return -1;
            continue;
        }
        goal_strip(out);
        return 1;
    }
    return 0;
}

const char *goal_line_wrong(const struct goal_lines *l)
{
    return l->too_long ? SCAN_LINE_LONG : "a comment has no end";
}
