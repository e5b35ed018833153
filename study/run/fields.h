/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fields.h - the numbers of a run (fields.def): one table that tables, CSV,
 * JSON, databases of sweeps, the page of `sluice report`, the library and
 * Python read, so that a number is one line. */
#ifndef STUDY_RUN_FIELDS_H
#define STUDY_RUN_FIELDS_H

struct outcome;

enum run_field {
#define FIELD(key, unit, outputs, text, value) FIELD_##key,
#include "study/run/fields.def"
    NFIELDS
};

enum field_output {
    /* Columns of `run --csv`, numbers of the library and of Python. */
    IN_RUN_CSV = 1 << 0,
    /* Columns of databases of sweeps, and of their CSV. */
    IN_DATABASE = 1 << 1,
    /* Keys of a sweep's runs in JSON, columns of the page. */
    IN_SWEEP = 1 << 2,
    /* Keys of `run --json`, by their place among the lists of an outcome. */
    IN_JSON_TIMES = 1 << 3,
    IN_JSON_ACCURACY = 1 << 4,
    IN_JSON_PLAN = 1 << 5,
    IN_JSON_DURATION = 1 << 6,
    IN_JSON_COPIES = 1 << 7,
    IN_JSON_GRAPH = 1 << 8,
    IN_JSON_BATCHES = 1 << 9,
    IN_JSON = 1 << 10, /* before the links */
    IN_ALL = IN_RUN_CSV | IN_DATABASE | IN_SWEEP | IN_JSON
};

/* A column of a table. */
struct field_text {
    const char *before;  /* text between this column and the one before */
    const char *heading; /* NULL if tables do not have it */
    int width, decimals;
    double scale; /* other outputs have seconds and bytes */
};
/* The forms of a field_text in fields.def and lists.def. */
#define TEXT(before, heading, width, decimals, scale)                          \
    {                                                                          \
        before, heading, width, decimals, scale                                \
    }
#define NO_TEXT                                                                \
    {                                                                          \
        .heading = NULL                                                        \
    }

struct field {
    const char *key, *unit;
    unsigned outputs; /* of enum field_output */
    struct field_text text;
    double (*get)(const struct outcome *o); /* NAN if it is not known */
};
extern const struct field run_fields[NFIELDS];

/* Returns the first field from `at` on that one of the outputs has; NFIELDS if
 * there is none. */
enum run_field field_next(unsigned outputs, enum run_field at);
#define FOR_FIELDS(f, outputs)                                                 \
    for (enum run_field f = field_next(outputs, 0); f < NFIELDS;               \
         f = field_next(outputs, f + 1))

#endif
