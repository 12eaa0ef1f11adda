// SPDX-License-Identifier: Apache-2.0
/* program PIPE [URL]: the plain program for a measurement. Records when its main function starts, and its cgroup. */
#include <string.h>

#include "recording.h"

int main(int argc, char **argv) {
  uint64_t reached = now();
  if (argc < 2) return 64;
  char line[512], *unit = NULL;
  FILE *file = fopen("/proc/self/cgroup", "re");
  while (file && !unit && fgets(line, sizeof line, file))
    if (strncmp(line, "0::", 3) == 0) unit = strrchr(strtok(line, "\n"), '/');
  record(argv[1], "main", reached, argc > 2 ? argv[2] : "-", unit && unit[1] ? unit + 1 : "-");
  return 0;
}
