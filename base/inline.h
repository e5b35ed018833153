/* SPDX-License-Identifier: GPL-3.0-or-later */
/* inline.h - functions that are compiled where they are called. */
#ifndef BASE_INLINE_H
#define BASE_INLINE_H

/* This is for inner loops whose arguments the compiler knows, and for functions
 * that only prefetch, because GCC assumes that calls of these have no effect,
 * and removes them unless they are inlined first. */
#define ALWAYS_INLINE static inline __attribute__((always_inline))

#endif
