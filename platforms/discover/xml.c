/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parses XML from untrusted files, and reads attributes. */
#include "platforms/discover/xml.h"

#include <libxml/parser.h>
#include <libxml/xmlerror.h>

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Returns whether a document declares entities. Neither format has any, so that
 * such a document is meant to fill memory, or to read other files. */
static bool has_entities(const xmlDoc *doc)
{
    const xmlDtd *dtds[] = {doc->intSubset, doc->extSubset};

    for (size_t i = 0; i < 2; i++)
        if (dtds[i] && (dtds[i]->entities || dtds[i]->pentities))
            return true;
    return false;
}

static bool declares_entity(const char *text, size_t bytes)
{
    return memmem(text, bytes, "<!ENTITY", 8) != NULL;
}

/* Prints nothing, because xml_parse() reports errors itself. */
static void say_nothing(void *context, const char *message, ...)
{
    (void)context, (void)message;
}

xmlDoc *xml_parse(const char *text, size_t bytes, const char *name,
                  struct err *err)
{
    if (bytes > INT_MAX)
        return fail_null(err, "%s: expected at most %d bytes", name, INT_MAX);
    if (declares_entity(text, bytes))
        return fail_null(err, "%s: entities are refused", name);
    xmlResetLastError();
    xmlSetGenericErrorFunc(NULL, say_nothing);
    /* XML_PARSE_NOENT, DTDLOAD and HUGE are not set, because then no entity is
     * replaced, nothing is loaded, and depth and amplification are bounded. */
    xmlDoc *doc = xmlReadMemory(text, (int)bytes, name, NULL,
                                XML_PARSE_NONET | XML_PARSE_NOERROR |
                                    XML_PARSE_NOWARNING);
    if (!doc) {
        const xmlError *why = xmlGetLastError();
        /* There may be no reason if there was no memory for it. */
        if (!why || !why->message || why->code == XML_ERR_NO_MEMORY)
            err_no_memory("a document of XML");
        int len = (int)strcspn(why->message, "\n");
        return fail_null(err, "%s:%d: not XML: %.*s", name, why->line, len,
                         why->message);
    }
    if (has_entities(doc) || !xmlDocGetRootElement(doc)) {
        bool root = xmlDocGetRootElement(doc);
        xmlFreeDoc(doc);
        return fail_null(err, "%s: %s", name,
                         root ? "entities are refused" : "no element");
    }
    return doc;
}

bool xml_is(const xmlNode *node, const char *element)
{
    return !strcmp((const char *)node->name, element);
}

const char *xml_attr(const xmlNode *node, const char *name)
{
    for (const xmlAttr *a = node->properties; a; a = a->next)
        if (!strcmp((const char *)a->name, name))
            return a->children && a->children->content
                       ? (const char *)a->children->content
                       : "";
    return "";
}

static const xmlNode *element_from(const xmlNode *node)
{
    while (node && node->type != XML_ELEMENT_NODE)
        node = node->next;
    return node;
}

const xmlNode *xml_child(const xmlNode *parent)
{
    return element_from(parent->children);
}

const xmlNode *xml_next(const xmlNode *node)
{
    return element_from(node->next);
}

double xml_number(const xmlNode *node, const char *name)
{
    double v = strtod(xml_attr(node, name), NULL);

    return isfinite(v) ? v : 0;
}

unsigned xml_whole(const xmlNode *node, const char *name, int base)
{
    const char *text = xml_attr(node, name);
    unsigned long v = *text == '-' ? 0 : strtoul(text, NULL, base);

    return v < UINT_MAX ? (unsigned)v : 0;
}
