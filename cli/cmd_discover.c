/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sluice discover: makes the skeleton of a platform from a machine's
 * description of itself. */
#include "cli/cli.h"

#include "base/datafile.h"
#include "platforms/discover/discover.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

/* Loads the module that reads descriptions, with its libraries. Returns NULL on
 * failure. */
static const struct discover_module *discover_load(struct err *err)
{
    char *path = datafile_module("sluice_discover.so", err);

    if (!path)
        return NULL;
    void *module = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    const struct discover_module *found =
        module ? dlsym(module, "sluice_discover") : NULL;
    if (!found)
        err_set(err, ERR_WORK, __FILE__, __LINE__, "%s: %s", path, dlerror());
    free(path);
    return found;
}

static const struct opts_page page = {
    .usage = "discover [FILE] [-o FILE.json] [OPTIONS]",
    .about =
        "Writes a platform whose node is this machine, or the machine that "
        "FILE describes: XML of hwloc (lstopo node.xml), the topology of NCCL "
        "or RCCL (NCCL_TOPO_DUMP_FILE), or YAML of InfraGraph.\n"
        "The source of each number is recorded: rates of wires come from the "
        "description or from specifications, other numbers are assumed, and "
        "message costs are taken over from another platform. The costs of "
        "graph algorithms on GPUs (gpu.access, gpu.calls) are taken over, too, "
        "or left out if that platform has none; --edge-ns replaces them "
        "then.\n"
        "Measure these numbers next: validate/measure-machine, or "
        "sluice-native and then sluice calibrate.\n",
    .examples = {{"Write a platform of 16 nodes like this machine",
                  "sluice discover --nodes 16 -o mine.json"}},
};

int cmd_discover(int argc, char **argv, struct err *err)
{
    struct discover_options options = {0};
    const char *output = "-", *sockets = "package";
    bool helped;
    int noperands;
    const struct opt opts[] = {
        {"o", OPT_OUTPUT, &output, "FILE.json",
         "file of the platform; - is standard output [default: -]"},
        {"name", OPT_TEXT, &options.name, "NAME",
         "name of the platform [default: that of the file]"},
        {"nodes", OPT_COUNT, &options.nodes, "N",
         "number of such nodes [default: 2; 1 without a NIC]"},
        {"costs", OPT_TEXT, &options.costs, "NAME",
         "platform whose message and copy costs are taken over until they are "
         "measured [default: the one whose GPUs are most like these]"},
        {"sockets", OPT_TEXT, &sockets, "WORD",
         "a socket is a package or a numa node, if there are several packages "
         "[default: package]"},
    };

    if (opts_parse(argc, argv, opts, sizeof opts / sizeof opts[0], &page,
                   &noperands, &helped, err) < 0)
        return -1;
    if (helped)
        return 0;
    if (noperands > 1)
        return fail(err, "discover: expected one file, got %d", noperands);
    if (strcmp(sockets, "package") != 0 && strcmp(sockets, "numa") != 0)
        return fail(err, "--sockets: expected package or numa, got '%s'",
                    sockets);
    options.numa = !strcmp(sockets, "numa");
    const struct discover_module *module = discover_load(err);
    if (!module)
        return -1;
    struct json *doc =
        module->discover(noperands ? argv[1] : NULL, &options, err);
    if (!doc)
        return -1;
    int result = json_write(doc, output, err);
    json_free(doc);
    return result;
}
