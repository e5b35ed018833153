/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads JSON by yajl. */
#include "workloads/trace/foreign/sax.h"

#include "workloads/trace/input.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <yajl/yajl_parse.h>
#include <zlib.h>

#define SAX_BLOCK_B (256u << 10)

struct sax {
    const struct sax_calls *calls;
    void *arg;
    yajl_handle parser;
    struct sax_place *place;
    uint64_t before; /* bytes of the blocks before this one */
    bool stopped;
};

void sax_copy(struct sax_text t, char *out, size_t room)
{
    size_t n = t.n < room ? t.n : room - 1;

    if (n)
        memcpy(out, t.at, n);
    out[n] = '\0';
}

double sax_double(struct sax_text t)
{
    char text[64];

    sax_copy(t, text, sizeof text);
    double value = strtod(text, NULL);
    return isfinite(value) ? value : 0;
}

int64_t sax_whole(struct sax_text t, int64_t other)
{
    char text[64], *end;

    sax_copy(t, text, sizeof text);
    errno = 0;
    long long value = strtoll(text, &end, 10);
    if (end == text || errno)
        return other;
    if (!*end)
        return value;
    double wide = strtod(text, &end);
    return *end || !(fabs(wide) < 0x1p62) ? other : (int64_t)wide;
}

/* --- callbacks of yajl ---------------------------------------------------- */

static int sax_go(struct sax *s, bool go)
{
    s->stopped |= !go;
    return go;
}

static int sax_start_map(void *arg)
{
    struct sax *s = arg;

    s->place->bytes = s->before + yajl_get_bytes_consumed(s->parser) - 1;
    return sax_go(s, s->calls->open(s->arg, false));
}

static int sax_end_map(void *arg)
{
    struct sax *s = arg;

    return sax_go(s, s->calls->close(s->arg, false));
}

static int sax_start_array(void *arg)
{
    struct sax *s = arg;

    return sax_go(s, s->calls->open(s->arg, true));
}

static int sax_end_array(void *arg)
{
    struct sax *s = arg;

    return sax_go(s, s->calls->close(s->arg, true));
}

static int sax_key(void *arg, const unsigned char *at, size_t n)
{
    struct sax *s = arg;

    return sax_go(
        s, s->calls->key(s->arg, (struct sax_text){(const char *)at, n}));
}

static int sax_text(void *arg, const unsigned char *at, size_t n)
{
    struct sax *s = arg;

    return sax_go(
        s, s->calls->text(s->arg, (struct sax_text){(const char *)at, n}));
}

static int sax_number(void *arg, const char *at, size_t n)
{
    struct sax *s = arg;

    return sax_go(s, s->calls->number(s->arg, (struct sax_text){at, n}));
}

static int sax_flag(void *arg, int value)
{
    struct sax *s = arg;

    return sax_go(s, s->calls->flag(s->arg, value != 0));
}

static const yajl_callbacks sax_yajl = {
    .yajl_boolean = sax_flag,
    .yajl_number = sax_number,
    .yajl_string = sax_text,
    .yajl_start_map = sax_start_map,
    .yajl_map_key = sax_key,
    .yajl_end_map = sax_end_map,
    .yajl_start_array = sax_start_array,
    .yajl_end_array = sax_end_array,
};

/* --- blocks --------------------------------------------------------------- */

static int sax_fail(struct sax *s, const char *path, struct err *err)
{
    unsigned char *why = yajl_get_error(s->parser, 0, NULL, 0);
    size_t n = why ? strcspn((const char *)why, "\n") : 0;
    int result = fail(
        err, "%s: byte %llu: not JSON: %.*s", path,
        (unsigned long long)(s->before + yajl_get_bytes_consumed(s->parser)),
        (int)n, why ? (const char *)why : "");

    if (why)
        yajl_free_error(s->parser, why);
    return result;
}

/* Returns 1 to continue, 0 if it was stopped. */
static int sax_block(struct sax *s, const char *path, const char *at, size_t n,
                     struct err *err)
{
    yajl_status status = yajl_parse(s->parser, (const unsigned char *)at, n);

    if (s->stopped)
        return 0;
    if (status != yajl_status_ok)
        return sax_fail(s, path, err);
    s->before += n;
    return 1;
}

static int sax_end(struct sax *s, const char *path, struct err *err)
{
    yajl_status status = yajl_complete_parse(s->parser);

    if (s->stopped)
        return 0;
    if (status == yajl_status_ok)
        return 1;
    return fail(err, "%s: byte %llu: the JSON text ends too early", path,
                (unsigned long long)s->before);
}

static int sax_mapped(struct sax *s, const char *path, struct err *err)
{
    struct input in;
    int result = 1;

    if (input_open(&in, path, err) < 0)
        return -1;
    while (result > 0 && in.at < in.end) {
        size_t n = (size_t)(in.end - in.at);
        if (n > SAX_BLOCK_B)
            n = SAX_BLOCK_B;
        result = sax_block(s, path, in.at, n, err);
        in.at += n;
        input_pass(&in);
    }
    input_close(&in);
    return result > 0 ? sax_end(s, path, err) : result;
}

static int sax_streamed(struct sax *s, const char *path, struct err *err)
{
    gzFile in = gzopen(path, "rb"); /* gzopen() also reads plain files */
    char *block = xmalloc(SAX_BLOCK_B);
    int result = 1, n = 1;

    if (!in) {
        free(block);
        return fail(err, "%s: %s", path, strerror(errno));
    }
    while (result > 0 && (n = gzread(in, block, SAX_BLOCK_B / 16)) > 0)
        result = sax_block(s, path, block, (size_t)n, err);
    if (n < 0)
        result = fail(err, "%s: cannot be unpacked", path);
    gzclose_r(in);
    free(block);
    return result > 0 ? sax_end(s, path, err) : result;
}

int sax_read(const char *path, bool head, const struct sax_calls *calls,
             void *arg, struct sax_place *place, struct err *err)
{
    struct sax s = {.calls = calls, .arg = arg, .place = place};

    place->bytes = 0;
    s.parser = yajl_alloc(&sax_yajl, NULL, &s);
    if (!s.parser)
        err_no_memory("a parser of JSON");
    (void)yajl_config(s.parser, yajl_dont_validate_strings, 1);
    int result = head && !input_is_xz(path) ? sax_streamed(&s, path, err)
                                            : sax_mapped(&s, path, err);
    yajl_free(s.parser);
    return result;
}
