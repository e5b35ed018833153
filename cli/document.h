/* SPDX-License-Identifier: GPL-3.0-or-later */
/* document.h - the common beginning of the JSON documents of all commands;
 * docs/outputs.md describes the rest. */
#ifndef CLI_DOCUMENT_H
#define CLI_DOCUMENT_H

#include "base/json.h"

/* The version of the documents. It rises if a key is removed or changes its
 * meaning, but not if one is added. */
enum { DOCUMENT_SCHEMA = 2 };

/* Returns an object with the keys schema, sluice (the program's version) and
 * command. `command` is the command's name, followed by a space and the subject
 * if it can show or validate several. The caller passes it to
 * document_print(). */
struct json *document_new(const char *command);
/* Adds a workload, and its seed if random numbers are drawn for it. */
void document_add_workload(struct json *o, const char *words);
/* Prints the document to standard output and frees it. */
void document_print(struct json *doc);

#endif
