#ifndef COUNTING_MALLOC_H
#define COUNTING_MALLOC_H

/// How many blocks this process has asked for so far, on any thread.
unsigned long counting_malloc_blocks(void);

#endif
