// SPDX-License-Identifier: Apache-2.0
/* stamp PIPE COMMAND ARGUMENT…: records the time, then executes the command. This is the time of the process start. */
#include "recording.h"

int main(int argc, char **argv) {
  if (argc < 3) return 64;
  record(argv[1], "start", now(), "-", "-");
  execvp(argv[2], argv + 2);
  perror(argv[2]);
  return 127;
}
