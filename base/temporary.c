/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes files without a name. */
#include "base/temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Makes a file whose name is removed at once, for file systems that have no
 * files without names. */
static int temporary_named(const char *folder)
{
    char *path = xasprintf("%s/sluice-XXXXXX", folder);
    int fd = mkostemp(path, O_CLOEXEC);

    if (fd >= 0)
        unlink(path);
    free(path);
    return fd;
}

FILE *temporary_file(struct err *err)
{
    const char *folder = getenv("TMPDIR");

    if (!folder || !*folder)
        folder = "/tmp";
    int fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (fd < 0)
        fd = temporary_named(folder);
    FILE *f = fd < 0 ? NULL : fdopen(fd, "w+b");
    if (!f)
        (void)fail_work(err, "%s: no temporary file: %s", folder,
                        strerror(errno));
    if (!f && fd >= 0)
        close(fd);
    return f;
}
