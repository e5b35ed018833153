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

int cmd_discover(int argc, char **argv, struct err *err)
{
    struct discover_options options = {0};
    const char *output = "-", *sockets = "package";
    bool helped;
    int noperands;
    const struct opt opts[] = {
        {"o", OPT_OUTPUT, &output, "FILE.json",
         "the file of the platform; - is standard output [default: -]"},
        {"name", OPT_TEXT, &options.name, "NAME",
         "what the platform is called [default: as the file]"},
        {"nodes", OPT_COUNT, &options.nodes, "N",
         "how many such nodes the machine has [default: 2; 1 without a NIC]"},
        {"costs", OPT_TEXT, &options.costs, "NAME",
         "the platform whose messages and copies are taken over until they are "
         "measured [default: one with GPUs most like these]"},
        {"sockets", OPT_TEXT, &sockets, "WORD",
         "what counts as a socket where there are several packages: package or "
         "numa [default: package]"},
    };

    if (opts_parse(
            argc, argv, opts, sizeof opts / sizeof opts[0],
            "discover [FILE] [-o FILE.json]",
            "Writes a platform whose node is this machine, or the one that "
            "FILE describes: XML of\nhwloc (lstopo node.xml), NCCL's or RCCL's "
            "topology (NCCL_TOPO_DUMP_FILE), or YAML of\nInfraGraph. Rates of "
            "wires are of the source or of specifications, what no source\n"
            "says is assumed, what messages cost is taken over from another "
            "platform: each number's\nsource says which. What GPUs take for "
            "graph "
            "algorithms (gpu.access,\ngpu.calls) is the other platform's, or "
            "left out where it has none: then --edge-ns stands\nfor it. "
            "Measure it next: validate/measure-machine, or sluice-native and "
            "then sluice\ncalibrate.\n",
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
