/* SPDX-License-Identifier: GPL-3.0-or-later */
/* inline.h - functions that are compiled where they are called. */
#ifndef BASE_INLINE_H
#define BASE_INLINE_H

/* For inner loops whose arguments the compiler knows; and for functions that do
 * nothing but prefetch, whose calls GCC takes to have no effect and leaves out
 * unless they are inlined before it looks. */
#define ALWAYS_INLINE static inline __attribute__((always_inline))

#endif
