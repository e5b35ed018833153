/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads a description of a machine, whatever its kind, and writes a platform.
 */
#include "platforms/discover/discover.h"

#include "platforms/discover/found.h"
#include "platforms/discover/here.h"
#ifdef SLUICE_YAML
#include "platforms/discover/infragraph.h"
#endif
#ifdef SLUICE_XML
#include "platforms/discover/xml.h"
#endif

#include "base/unxz.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MAX_BYTES = 64 << 20 };

/* Returns the bytes of a regular file or pipe, with a 0 after them. */
static char *read_bytes(const char *path, size_t *n, struct err *err)
{
    FILE *file = fopen(path, "rb");
    struct stat st;
    char *text = NULL;
    size_t room = 0;

    if (!file || fstat(fileno(file), &st) < 0 || S_ISDIR(st.st_mode)) {
        int why = file && S_ISDIR(st.st_mode) ? EISDIR : errno;
        if (file)
            fclose(file);
        return fail_null(err, "%s: cannot be read: %s", path, strerror(why));
    }
    file = unxz(file, err);
    if (!file) {
        (void)fail_in(err, "%s", path);
        return NULL;
    }
    *n = 0;
    do {
        room = *n + 65536;
        text = xrealloc(text, room + 1, 1);
        *n += fread(text + *n, 1, room - *n, file);
    } while (!feof(file) && !ferror(file) && *n <= MAX_BYTES);
    bool bad = ferror(file);
    fclose(file);
    if (!bad && *n <= MAX_BYTES) {
        text[*n] = 0;
        return text;
    }
    free(text);
    return fail_null(err, "%s: %s", path,
                     bad ? "cannot be read" : "expected at most 64 MiB");
}

static bool is_packed(const char *text, size_t n)
{
    static const char *const magic[] = {"\x1f\x8b", "BZh", "\x28\xb5\x2f\xfd",
                                        "PK\x03\x04"};

    for (size_t i = 0; i < sizeof magic / sizeof magic[0]; i++)
        if (n >= strlen(magic[i]) && !memcmp(text, magic[i], strlen(magic[i])))
            return true;
    return false;
}

/* Returns whether it is XML, because it begins with <, perhaps after a byte
 * order mark or blanks, or is in another encoding, which libxml2 detects by
 * itself. */
static bool is_xml(const char *text)
{
    if (!strncmp(text, "\xef\xbb\xbf", 3))
        text += 3;
    while (isspace((unsigned char)*text))
        text++;
    return *text == '<' || !strncmp(text, "\xff\xfe", 2) ||
           !strncmp(text, "\xfe\xff", 2);
}

#ifdef SLUICE_XML

static int read_root(struct found *f, const xmlNode *root, const char *path,
                     bool numa, struct err *err)
{
    if (xml_is(root, "topology")) {
        f->what = xasprintf("hwloc, from %s", path);
        return read_hwloc(f, root, numa, err);
    }
    if (xml_is(root, "system")) {
        f->what = xasprintf("NCCL's topology, from %s", path);
        return read_nccl(f, root, err);
    }
    return fail(err,
                "expected hwloc's <topology> or NCCL's <system>, got <%.40s>",
                (const char *)root->name);
}

static int read_xml(struct found *f, const char *text, size_t n,
                    const char *name, const char *path, bool numa,
                    struct err *err)
{
    xmlDoc *doc = xml_parse(text, n, name, err);

    if (!doc)
        return -1;
    int result = read_root(f, xmlDocGetRootElement(doc), path, numa, err);
    xmlFreeDoc(doc);
    return result < 0 ? fail_in(err, "%s", name) : 0;
}

#else

static int read_xml(struct found *f, const char *text, size_t n,
                    const char *name, const char *path, bool numa,
                    struct err *err)
{
    (void)f, (void)text, (void)n, (void)path, (void)numa;
    return fail(err, "%s: this sluice was built without libxml2", name);
}

#endif

#ifdef SLUICE_YAML

static int read_yaml(struct found *f, const char *text, size_t n,
                     const char *name, const char *path, struct err *err)
{
    struct infragraph g;
    int result = infragraph_read(&g, text, n, err);

    if (result == 0) {
        f->what = xasprintf("InfraGraph's %s, from %s", g.name, path);
        result = infragraph_found(f, &g, err);
        infragraph_clear(&g);
    }
    return result < 0 ? fail_in(err, "%s", name) : 0;
}

#else

static int read_yaml(struct found *f, const char *text, size_t n,
                     const char *name, const char *path, struct err *err)
{
    (void)f, (void)text, (void)n, (void)path;
    return fail(err, "%s: no XML, and this sluice was built without libyaml",
                name);
}

#endif

static int read_file(struct found *f, const char *path, bool numa,
                     struct err *err)
{
    size_t n;
    char *text = read_bytes(path, &n, err);
    const char *slash = strrchr(path, '/');
    char *base = found_word(slash ? slash + 1 : path);
    int result = -1;

    if (!text)
        result = -1;
    else if (is_packed(text, n))
        result = fail(err, "%s: a packed file: unpack it first", path);
    else if (is_xml(text))
        result = read_xml(f, text, n, path, base, numa, err);
    else if (strstr(text, "devices:") || strstr(text, "components:") ||
             strstr(text, "infrastructure"))
        result = read_yaml(f, text, n, path, base, err);
    else
        result = fail(err,
                      "%s: expected XML of hwloc (lstopo) or NCCL, or YAML of "
                      "InfraGraph",
                      path);
    free(text);
    free(base);
    return result;
}

#ifdef SLUICE_HWLOC

static int read_here(struct found *f, bool numa, struct err *err)
{
    char *host, *text = here_xml(&host, err);

    if (!text)
        return -1;
    int result =
        read_xml(f, text, strlen(text), "this machine", host, numa, err);
    if (result == 0)
        here_ports(f);
    free(text);
    free(host);
    return result;
}

#else

static int read_here(struct found *f, bool numa, struct err *err)
{
    (void)f, (void)numa;
    return fail(err, "this machine: this sluice was built without hwloc; give "
                     "the XML that lstopo writes");
}

#endif

/* Returns a name for a platform: "dgx-a100" for "a/DGX A100.xml". */
static char *default_name(const char *path)
{
    const char *slash = path ? strrchr(path, '/') : NULL;
    char *name = found_word(slash ? slash + 1 : path ? path : "this-machine");

    name[strcspn(name, ".")] = 0;
    for (char *c = name; *c; c++)
        *c =
            isalnum((unsigned char)*c) ? (char)tolower((unsigned char)*c) : '-';
    if (!*name) {
        free(name);
        return xstrdup("discovered");
    }
    return name;
}

struct json *discover(const char *path, const struct discover_options *options,
                      struct err *err)
{
    struct discover_options o = *options;
    struct found f = {0};
    struct json *doc = NULL;
    char *name = o.name ? xstrdup(o.name) : default_name(path);

    o.name = name;
    int result =
        path ? read_file(&f, path, o.numa, err) : read_here(&f, o.numa, err);
    if (result == 0) {
        found_prune(&f);
        result = found_known_links(&f, err);
        doc = result == 0 ? found_json(&f, &o, err) : NULL;
        if (!doc)
            (void)fail_in(err, "%s", path ? path : "this machine");
    }
    found_clear(&f);
    free(name);
    return doc;
}

extern const struct discover_module sluice_discover;
__attribute__((visibility("default")))
const struct discover_module sluice_discover = {discover};
