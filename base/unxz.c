/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Unpacks XZ files through liblzma into a temporary file. */
#include "base/unxz.h"

#include "base/temporary.h"

#include <lzma.h>
#include <stdlib.h>
#include <string.h>

static const char *unxz_reason(lzma_ret ret)
{
    switch (ret) {
    case LZMA_BUF_ERROR:
        return "truncated";
    case LZMA_DATA_ERROR:
        return "its contents are broken";
    case LZMA_FORMAT_ERROR:
        return "not an XZ file";
    case LZMA_MEM_ERROR:
        err_no_memory("an XZ file's decoder");
    case LZMA_MEMLIMIT_ERROR:
        return "needs more than 1 GiB to unpack";
    default:
        return "liblzma cannot read it";
    }
}

/* Unpacks all of `in` to `out`. */
static int unxz_all(lzma_stream *s, FILE *in, FILE *out, struct err *err)
{
    uint8_t packed[1 << 14], text[1 << 16];
    lzma_ret ret = LZMA_OK;

    while (ret == LZMA_OK) {
        if (!s->avail_in && !feof(in)) {
            s->next_in = packed;
            s->avail_in = fread(packed, 1, sizeof packed, in);
            if (ferror(in))
                return fail(err, "cannot be read");
        }
        s->next_out = text;
        s->avail_out = sizeof text;
        ret = lzma_code(s, feof(in) ? LZMA_FINISH : LZMA_RUN);
        if (fwrite(text, 1, sizeof text - s->avail_out, out) !=
            sizeof text - s->avail_out)
            return fail_work(err, "the temporary file cannot be written");
        if (s->total_out > UNXZ_MOST)
            return fail(err, UNXZ_TOO_MUCH);
    }
    return ret == LZMA_STREAM_END ? 0 : fail(err, "%s", unxz_reason(ret));
}

/* Returns a stream of the unpacked contents. */
static FILE *stream_of(FILE *in, struct err *err)
{
    lzma_stream s = LZMA_STREAM_INIT;
    FILE *out = temporary_file(err);
    int result;

    if (!out)
        return NULL;
    if (lzma_stream_decoder(&s, UNXZ_MOST, LZMA_CONCATENATED) != LZMA_OK)
        result = fail_work(err, "liblzma does not start");
    else
        result = unxz_all(&s, in, out, err);
    lzma_end(&s);
    if (result == 0 && (fflush(out) != 0 || fseek(out, 0, SEEK_SET) != 0))
        result = fail_work(err, "the temporary file cannot be written");
    if (result < 0) {
        fclose(out);
        return NULL;
    }
    return out;
}

FILE *unxz(FILE *in, struct err *err)
{
    int first = getc(in);

    if (first != EOF)
        ungetc(first, in);
    if (first != 0xfd) /* no text begins with this byte */
        return in;
    FILE *out = stream_of(in, err);
    fclose(in);
    return out;
}

size_t unxz_head(FILE *in, char *head, size_t room)
{
    lzma_stream s = LZMA_STREAM_INIT;
    uint8_t packed[1 << 12];
    lzma_ret ret = lzma_stream_decoder(&s, UNXZ_MOST, LZMA_CONCATENATED);

    s.next_out = (uint8_t *)head;
    s.avail_out = room;
    while (ret == LZMA_OK && s.avail_out) {
        if (!s.avail_in) {
            s.next_in = packed;
            s.avail_in = fread(packed, 1, sizeof packed, in);
            if (!s.avail_in)
                break;
        }
        ret = lzma_code(&s, LZMA_RUN);
    }
    lzma_end(&s);
    if (ret == LZMA_MEM_ERROR)
        err_no_memory("an XZ file's decoder");
    return room - s.avail_out;
}
