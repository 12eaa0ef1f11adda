// SPDX-License-Identifier: Apache-2.0
/* The format in which recorders write to the pipe of a measurement: a line "WHAT NANOSECONDS ABOUT DETAIL", by the monotonic clock. */
#pragma once
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static inline uint64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

/* Lines are shorter than PIPE_BUF, so that writes of several programs are atomic. */
static inline void record(const char *pipe, const char *what, uint64_t when, const char *about, const char *detail) {
  char line[1024];
  int length = snprintf(line, sizeof line, "%s %llu %s %s\n", what, (unsigned long long)when, about, detail);
  int file = open(pipe, O_WRONLY | O_CLOEXEC);
  if (length >= (int)sizeof line || file < 0 || write(file, line, (size_t)length) != length) {
    perror(pipe);
    exit(1);
  }
  close(file);
}
