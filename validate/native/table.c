/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The output table of measurements and its head: hosts, versions, options,
 * affinity. */
#include "validate/native/table.h"

#include "base/outfile.h"

#include <ctype.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { HOST = 64, AFFINITY = 64 };

/* Replaces characters that would end a cell, or a quoted text of the head. */
static void plain(char *text)
{
    for (; *text; text++)
        if (*text == ',' || *text == '"' || *text == '\n' || *text == '\r')
            *text = ';';
}

static void host_name(char *out)
{
    if (gethostname(out, HOST) != 0)
        snprintf(out, HOST, "unknown");
    out[HOST - 1] = 0;
    out[strcspn(out, ".")] = 0;
}

/* Writes the cores that this rank may run on: "0-1+4". */
static void affinity(char *out)
{
    cpu_set_t set;
    size_t at = 0;

    CPU_ZERO(&set);
    out[0] = 0;
    if (sched_getaffinity(0, sizeof set, &set) != 0)
        return;
    for (size_t c = 0; c < CPU_SETSIZE; c++) {
        size_t end = c;
        if (!CPU_ISSET(c, &set))
            continue;
        while (end + 1 < CPU_SETSIZE && CPU_ISSET(end + 1, &set))
            end++;
        if (at + 16 > AFFINITY)
            return;
        at += (size_t)snprintf(out + at, AFFINITY - at,
                               end > c ? "%s%zu-%zu" : "%s%zu", at ? "+" : "",
                               c, end);
        c = end;
    }
}

/* Gathers one text of every rank on rank 0: `ranks` times `size` bytes. The
 * caller frees them. */
static char *gathered(const struct native *n, const char *mine, int size)
{
    char *all = xcalloc((size_t)n->ranks, (size_t)size);

    MPI_TRY(MPI_Gather(mine, size, MPI_CHAR, all, size, MPI_CHAR, 0,
                       MPI_COMM_WORLD));
    return all;
}

/* Prints "n0+n1": the host of the first rank of every node. */
static void print_hosts(FILE *f, const struct native *n, const char *hosts)
{
    for (int i = 0; i < n->nodes; i++)
        fprintf(f, "%s%s", i ? "+" : "",
                hosts + (size_t)i * (size_t)n->per_node * HOST);
}

/* Prints "0: 0-1; 1-3: 2": consecutive ranks that may run on the same cores are
 * one range. */
static void print_affinity(FILE *f, const struct native *n, const char *cores)
{
    for (int first = 0, end; first < n->ranks; first = end) {
        const char *one = cores + (size_t)first * AFFINITY;
        for (end = first + 1; end < n->ranks; end++)
            if (strcmp(cores + (size_t)end * AFFINITY, one) != 0)
                break;
        fprintf(f, "%s%d", first ? "; " : "", first);
        if (end > first + 1)
            fprintf(f, "-%d", end - 1);
        fprintf(f, ": %s", one);
    }
}

static void print_head(const struct table *t, const struct native *n,
                       const char *what, const char *const *notes,
                       const char *hosts, const char *cores)
{
    FILE *f = t->stream;
    char date[32], library[MPI_MAX_LIBRARY_VERSION_STRING];
    time_t now = time(NULL);
    int len;

    strftime(date, sizeof date, "%Y-%m-%d %H:%M", localtime(&now));
    MPI_TRY(MPI_Get_library_version(library, &len));
    library[strcspn(library, "\n")] = 0;
    plain(library);
    fprintf(f, "# measured: %s\n", what);
    fprintf(f, "# source: sluice-native %s\n", SLUICE_VERSION);
    for (; *notes; notes++)
        fprintf(f, "# note: %s\n", *notes);
    fprintf(f, "# run: run_id=%s date=%s config=%s hosts=", t->run_id, date,
            t->config);
    print_hosts(f, n, hosts);
    fprintf(f, " ranks_per_node=%d%s gpu=\"%s\" mpi=\"%s\" affinity=\"",
            n->per_node, n->pretended ? " nodes_on_one_host=1" : "",
            n->gpu->about, library);
    print_affinity(f, n, cores);
    fprintf(f, "\" command=\"%s\"\n", n->command);
}

/* Sets the machine's name to the host's without digits at the end: "lassen" for
 * "lassen12". */
static void default_machine(char *name, size_t size)
{
    char host[HOST];

    host_name(host);
    size_t len = strlen(host);
    while (len > 1 && isdigit((unsigned char)host[len - 1]))
        host[--len] = 0;
    snprintf(name, size, "%s", host);
}

/* Writes the name of the MPI library that runs: "openmpi-4.1.4". */
static void mpi_name(char *out, size_t size)
{
    char library[MPI_MAX_LIBRARY_VERSION_STRING];
    int len;

    MPI_TRY(MPI_Get_library_version(library, &len));
    if (!strncmp(library, "Open MPI v", 10))
        snprintf(out, size, "openmpi-%.*s", (int)strcspn(library + 10, ",\n "),
                 library + 10);
    else
        snprintf(out, size, "%.*s", (int)strcspn(library, ",\n:"), library);
    plain(out);
}

/* Writes a name that identifies the run by its time: "20261120T195426.042". */
static void name_run(char *out, size_t size)
{
    struct timespec now;
    char second[20];

    clock_gettime(CLOCK_REALTIME, &now);
    strftime(second, sizeof second, "%Y%m%dT%H%M%S", localtime(&now.tv_sec));
    snprintf(out, size, "%s.%03ld", second, now.tv_nsec / 1000000);
}

/* Writes the user's text and MPS, unless the text says that, too. Readers
 * divide it at ';'. */
static void name_config(char *out, size_t size, const struct native_options *o)
{
    const char *text = o->config;
    bool both = text && o->mps && !strstr(text, o->mps);

    if (both)
        snprintf(out, size, "%s;%s", text, o->mps);
    else
        snprintf(out, size, "%s", text ? text : o->mps ? o->mps : "default");
}

/* Checks the file before measuring, so that an hour of it does not end with a
 * folder that does not exist. */
static int can_write(const char *path, struct err *err)
{
    struct outfile file;
    struct stat s;

    /* A reader of a pipe would mistake the test for its end. */
    if (lstat(path, &s) == 0 && !S_ISREG(s.st_mode))
        return 0;
    if (outfile_open(&file, path, err) < 0)
        return -1;
    outfile_abandon(&file);
    return 0;
}

int table_open(struct table *t, const struct native *n,
               const struct native_options *o, const char *what,
               const char *const *notes, const char *columns, struct err *err)
{
    char host[HOST] = "", cores[AFFINITY] = "";
    int result = 0;

    memset(t, 0, sizeof *t);
    t->writes = n->rank == 0;
    host_name(host);
    affinity(cores);
    char *hosts = gathered(n, host, HOST), *all = gathered(n, cores, AFFINITY);
    if (t->writes) {
        if (o->machine)
            snprintf(t->machine, sizeof t->machine, "%s", o->machine);
        else
            default_machine(t->machine, sizeof t->machine);
        name_config(t->config, sizeof t->config, o);
        plain(t->machine);
        plain(t->config);
        mpi_name(t->mpi, sizeof t->mpi);
        name_run(t->run_id, sizeof t->run_id);
        t->path = xstrdup(o->output ? o->output : "-");
        result = can_write(t->path, err);
        t->stream = open_memstream(&t->text, &t->size);
        print_head(t, n, what, notes, hosts, all);
        fprintf(t->stream, "machine,mpi,%s,config,run_id\n", columns);
    }
    free(hosts);
    free(all);
    if (native_agree(n, result, err) < 0) {
        table_abandon(t);
        return -1;
    }
    return 0;
}

void table_row(struct table *t, const char *fmt, ...)
{
    va_list args;

    if (!t->writes)
        return;
    fprintf(t->stream, "%s,%s,", t->machine, t->mpi);
    va_start(args, fmt);
    vfprintf(t->stream, fmt, args);
    va_end(args);
    fprintf(t->stream, ",%s,%s\n", t->config, t->run_id);
}

static int save(struct table *t, struct err *err)
{
    struct outfile file;

    if (fflush(t->stream) != 0)
        return fail_work(err, "no memory for the rows");
    if (outfile_open(&file, t->path, err) < 0)
        return -1;
    /* outfile_close() reports errors. */
    fwrite(t->text, 1, t->size, file.stream);
    return outfile_close(&file, err);
}

int table_close(struct table *t, const struct native *n, struct err *err)
{
    int result = t->writes ? save(t, err) : 0;

    table_abandon(t);
    return native_agree(n, result, err);
}

void table_abandon(struct table *t)
{
    if (t->stream)
        fclose(t->stream);
    free(t->text);
    free(t->path);
    memset(t, 0, sizeof *t);
}

int table_end(struct table *t, const struct native *n, int result,
              struct err *err)
{
    if (result == 0)
        return table_close(t, n, err);
    table_abandon(t);
    return -1;
}
