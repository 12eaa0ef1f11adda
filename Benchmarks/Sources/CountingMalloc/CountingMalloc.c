// SPDX-License-Identifier: Apache-2.0
#include "CountingMalloc.h"

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>

// Definitions in the program override those of the C library for all callers in the process; the originals remain available under
// these names.
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

static atomic_ulong blocks;

static void count(void) { atomic_fetch_add_explicit(&blocks, 1, memory_order_relaxed); }

unsigned long counting_malloc_blocks(void) { return atomic_load_explicit(&blocks, memory_order_relaxed); }

void *malloc(size_t size) {
  count();
  return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
  count();
  return __libc_calloc(number, size);
}

void *realloc(void *block, size_t size) {
  count();
  return __libc_realloc(block, size);
}

void *memalign(size_t alignment, size_t size) {
  count();
  return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **block, size_t alignment, size_t size) {
  void *found = memalign(alignment, size);
  if (!found) return ENOMEM;
  *block = found;
  return 0;
}
