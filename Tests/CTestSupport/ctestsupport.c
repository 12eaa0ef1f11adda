// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "ctestsupport.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

int ctest_spawn(pid_t *pid, const char *path, char *const argv[], char *const envp[], const char *directory,
                int input, int output, int error) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  int failure = posix_spawn_file_actions_adddup2(&actions, input, 0);
  if (!failure) failure = posix_spawn_file_actions_adddup2(&actions, output, 1);
  if (!failure) failure = posix_spawn_file_actions_adddup2(&actions, error, 2);
  // The child must not inherit descriptors that other libraries opened without close-on-exec.
  if (!failure) failure = posix_spawn_file_actions_addclosefrom_np(&actions, 3);
  if (!failure && directory) failure = posix_spawn_file_actions_addchdir_np(&actions, directory);
  if (!failure) failure = posix_spawn(pid, path, &actions, &attributes, argv, envp);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return failure;
}

int ctest_pidfd_open(pid_t pid) { return (int)syscall(SYS_pidfd_open, pid, 0); }

int ctest_memory_file(void) { return memfd_create("input", MFD_CLOEXEC); }

int ctest_pipe(int ends[2]) {
  if (pipe2(ends, O_CLOEXEC) < 0) return -1;
  return fcntl(ends[0], F_SETFL, O_NONBLOCK);
}

int ctest_socket_pair(int ends[2]) { return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends); }

int ctest_listen(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (strlen(path) >= sizeof address.sun_path) {
    errno = ENAMETOOLONG;
    return -1;
  }
  strcpy(address.sun_path, path);
  int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (listener < 0) return -1;
  if (bind(listener, (struct sockaddr *)&address, sizeof address) < 0 || listen(listener, 4096) < 0) {
    int failure = errno;
    close(listener);
    errno = failure;
    return -1;
  }
  return listener;
}

int ctest_accept(int listener) { return accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK); }

int ctest_has_no_writer(const char *path) {
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return errno;
  // A read lease is granted only if no process has the file open for writing.
  int result = fcntl(file, F_SETLEASE, F_RDLCK) == 0 ? 0 : errno;
  close(file);
  return result;
}

int ctest_open_terminal(int rows, int columns, char *path, size_t length) {
  int terminal = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (terminal < 0) return -1;
  if (grantpt(terminal) == 0 && unlockpt(terminal) == 0 && ptsname_r(terminal, path, length) == 0 &&
      ctest_resize_terminal(terminal, rows, columns) == 0)
    return terminal;
  close(terminal);
  return -1;
}

int ctest_resize_terminal(int terminal, int rows, int columns) {
  struct winsize size = {.ws_row = (unsigned short)rows, .ws_col = (unsigned short)columns};
  return ioctl(terminal, TIOCSWINSZ, &size);
}

int ctest_spawn_on_terminal(pid_t *pid, const char *path, char *const argv[], char *const envp[], const char *terminal) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  // The leader of a new session gets the first terminal that it opens as its controlling terminal.
  int failure = posix_spawn_file_actions_addopen(&actions, 0, terminal, O_RDWR, 0);
  if (!failure) failure = posix_spawn_file_actions_adddup2(&actions, 0, 1);
  if (!failure) failure = posix_spawn_file_actions_adddup2(&actions, 0, 2);
  if (!failure) failure = posix_spawn_file_actions_addclosefrom_np(&actions, 3);
  if (!failure) failure = posix_spawn(pid, path, &actions, &attributes, argv, envp);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return failure;
}
