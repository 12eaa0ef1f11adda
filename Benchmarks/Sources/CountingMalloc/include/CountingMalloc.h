// SPDX-License-Identifier: Apache-2.0
#ifndef COUNTING_MALLOC_H
#define COUNTING_MALLOC_H

/// Returns the number of blocks that the threads of this process have allocated.
unsigned long counting_malloc_blocks(void);

#endif
