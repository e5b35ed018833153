/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ends all processes because of an error of one. */
#include "validate/native/native.h"

#include "base/printable.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

void native_place(char *out, size_t size)
{
    char host[64] = "";
    int rank = 0, up = 0, down = 0;

    gethostname(host, sizeof host - 1);
    MPI_Initialized(&up);
    MPI_Finalized(&down);
    if (up && !down)
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    snprintf(out, size, "rank %d on %s", rank, host);
}

void native_die(const char *fmt, ...)
{
    char place[96], text[1024];
    va_list args;

    native_place(place, sizeof place);
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    fprintf(stderr, "sluice-native: %s: %s\n", place, text);
    fflush(NULL);
    MPI_Abort(MPI_COMM_WORLD, 1);
    _exit(1);
}

void native_die_of(const struct err *err)
{
    char text[sizeof err->text];

    printable_escape(text, sizeof text, err->text);
    if (err_debug())
        native_die("%s [%s:%d]", text, err->file, err->line);
    native_die("%s", text);
}

void native_mpi(int code, const char *call, const char *file, int line)
{
    char text[MPI_MAX_ERROR_STRING] = "";
    int len;

    if (code == MPI_SUCCESS)
        return;
    MPI_Error_string(code, text, &len);
    struct err err;
    err_set(&err, ERR_WORK, file, line, "%.*s: %s", (int)strcspn(call, "("),
            call, text);
    native_die_of(&err);
}
