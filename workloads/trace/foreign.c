/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recognises the formats that are read with foreign libraries, and loads the
 * module with their readers when a trace of one is opened. */
#include "workloads/trace/foreign.h"

#include "base/datafile.h"
#include "base/packed.h"

#include <dirent.h>
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

/* --- the module ----------------------------------------------------------- */

static const struct trace_module *foreign_load(struct err *err)
{
    char *path = datafile_module("sluice_traces.so", err);

    if (!path)
        return NULL;
    void *module = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    const struct trace_module *found =
        module ? dlsym(module, "sluice_traces") : NULL;
    if (!found)
        err_set(err, ERR_WORK, __FILE__, __LINE__, "%s: %s", path, dlerror());
    free(path);
    return found;
}

/* Replaces the trace's format by the reader's, and opens the trace with it. */
static int foreign_open(struct trace *t, const struct trace_format *reader,
                        const char *library, struct err *err)
{
    if (!reader)
        return fail(err, "%s: sluice was built without %s", t->path, library);
    t->format = reader;
    return reader->open(t, err);
}

static void foreign_close(struct trace *t)
{
    /* Once the trace is open, the reader's close() is called instead. */
    (void)t;
}

/* --- OTF2 ----------------------------------------------------------------- */

static bool otf2_is(const char *path, const char *head, size_t head_B)
{
    (void)head;
    return head_B > 0 && packed_before(path, ".otf2");
}

static int otf2_open(struct trace *t, struct err *err)
{
    const struct trace_module *m = foreign_load(err);

    return m ? foreign_open(t, m->otf2, "OTF2 (libotf2-trace-dev)", err) : -1;
}

const struct trace_format otf2_format = {
    .name = "otf2",
    .summary = OTF2_SUMMARY,
    .files = "the anchor file, NAME.otf2",
    .is = otf2_is,
    .open = otf2_open,
    .close = foreign_close,
};

/* --- Chakra --------------------------------------------------------------- */

/* Returns whether a folder has a file with this ending. */
static bool foreign_folder(const char *path, const char *end)
{
    DIR *d = opendir(path);
    bool found = false;

    if (!d)
        return false;
    for (struct dirent *e; !found && (e = readdir(d));)
        found = e->d_name[0] != '.' && packed_before(e->d_name, end);
    closedir(d);
    return found;
}

static bool foreign_has(const char *head, size_t head_B, const char *word)
{
    return memmem(head, head_B, word, strlen(word)) != NULL;
}

static bool chakra_is(const char *path, const char *head, size_t head_B)
{
    return packed_before(path, ".et") ||
           (packed_before(path, ".json") &&
            foreign_has(head, head_B, "\"workload_graph\"")) ||
           (head_B == 0 && foreign_folder(path, ".et"));
}

static int chakra_open(struct trace *t, struct err *err)
{
    const struct trace_module *m = foreign_load(err);

    return m ? foreign_open(t, m->chakra, "protobuf-c (libprotobuf-c-dev)", err)
             : -1;
}

const struct trace_format chakra_format = {
    .name = "chakra",
    .summary = CHAKRA_SUMMARY,
    .files = "one of NAME.0.et, NAME.1.et, ... (or .json), or their folder",
    .is = chakra_is,
    .open = chakra_open,
    .close = foreign_close,
};

/* --- Kineto --------------------------------------------------------------- */

static bool kineto_is(const char *path, const char *head, size_t head_B)
{
    if (head_B == 0)
        return foreign_folder(path, ".json");
    return packed_before(path, ".json") &&
           (foreign_has(head, head_B, "\"traceEvents\"") ||
            foreign_has(head, head_B, "\"schemaVersion\"") ||
            foreign_has(head, head_B, "\"distributedInfo\"") ||
            foreign_has(head, head_B, "\"deviceProperties\"") ||
            (head[0] == '[' && foreign_has(head, head_B, "\"ph\"")));
}

static int kineto_open(struct trace *t, struct err *err)
{
    const struct trace_module *m = foreign_load(err);

    return m ? foreign_open(t, m->kineto, "yajl (libyajl-dev)", err) : -1;
}

const struct trace_format kineto_format = {
    .name = "kineto",
    .summary = KINETO_SUMMARY,
    .files = "one of the ranks' NAME.json or .json.gz, or their folder",
    .is = kineto_is,
    .open = kineto_open,
    .close = foreign_close,
};

/* --- Nsight Systems ------------------------------------------------------- */

static bool nsys_is(const char *path, const char *head, size_t head_B)
{
    if (head_B == 0)
        return foreign_folder(path, ".sqlite");
    return head_B >= 16 && memcmp(head, "SQLite format 3", 16) == 0;
}

static int nsys_open(struct trace *t, struct err *err)
{
    const struct trace_module *m = foreign_load(err);

    return m ? foreign_open(t, m->nsys, "SQLite (libsqlite3-dev)", err) : -1;
}

const struct trace_format nsys_format = {
    .name = "nsys",
    .summary = NSYS_SUMMARY,
    .files = "one of NAME.sqlite of a node or rank each, or their folder",
    .is = nsys_is,
    .open = nsys_open,
    .close = foreign_close,
};
