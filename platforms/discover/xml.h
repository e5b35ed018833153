/* SPDX-License-Identifier: GPL-3.0-or-later */
/* xml.h - XML from untrusted files: no entities, nothing loaded from outside,
 * bounded size and depth. Only the readers of XML include it. */
#ifndef PLATFORMS_DISCOVER_XML_H
#define PLATFORMS_DISCOVER_XML_H

#include "base/err.h"

#include <libxml/tree.h>

#include <stdbool.h>

struct found;

/* Returns the document, which xmlFreeDoc() frees, or NULL and an error
 * "NAME:LINE: ...". */
xmlDoc *xml_parse(const char *text, size_t bytes, const char *name,
                  struct err *err);
bool xml_is(const xmlNode *node, const char *element);
/* Returns an attribute, borrowed; "" if it is not there. */
const char *xml_attr(const xmlNode *node, const char *name);
/* Return the first or next child that is an element, or NULL. */
const xmlNode *xml_child(const xmlNode *parent);
const xmlNode *xml_next(const xmlNode *node);
/* Return the number with which an attribute begins, or 0 if it begins with
 * none. */
double xml_number(const xmlNode *node, const char *name);
unsigned xml_whole(const xmlNode *node, const char *name, int base);

/* Read the two kinds of documents, which differ by their root elements. */
int read_hwloc(struct found *f, const xmlNode *topology, bool numa,
               struct err *err) MUST_CHECK;
int read_nccl(struct found *f, const xmlNode *system,
              struct err *err) MUST_CHECK;

#endif
