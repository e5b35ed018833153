/* SPDX-License-Identifier: GPL-3.0-or-later */
/* document.h - what every JSON document of a command begins with:
 * docs/outputs.md says what follows. */
#ifndef CLI_DOCUMENT_H
#define CLI_DOCUMENT_H

#include "base/json.h"

/* Rises when a key goes away or means something else; not when one is added. */
enum { DOCUMENT_SCHEMA = 1 };

/* An object with the keys schema, sluice (the program's version) and command:
 * its name, with a space and what it shows or validates where it does several.
 */
struct json *document_new(const char *command);
/* A workload, and its seed where random numbers are drawn for it. */
void document_add_workload(struct json *o, const char *words);
/* Printed on standard output, and freed. */
void document_print(struct json *doc);

#endif
