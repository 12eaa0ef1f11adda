// libsystemd's headers, and what Swift cannot import from them or from glibc.
#pragma once
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <systemd/sd-bus.h>
#include <systemd/sd-daemon.h>
#include <systemd/sd-event.h>
#include <systemd/sd-journal.h>
#include <systemd/sd-login.h>
#include <unistd.h>

// Glibc's module leaves these headers out, so their functions get a name of ours.
static inline int usher_eventfd(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }
static inline int usher_pidfd_open(pid_t pid) { return (int)syscall(SYS_pidfd_open, pid, 0); }
static inline int usher_pidfd_send_signal(int fd, int signal) {
  return (int)syscall(SYS_pidfd_send_signal, fd, signal, NULL, 0);
}
// addclosefrom_np hides behind _GNU_SOURCE.
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *, int);
static inline int usher_spawn_close_from(posix_spawn_file_actions_t *actions, int from) {
  return posix_spawn_file_actions_addclosefrom_np(actions, from);
}
// The 64-bit enumerators of anonymous enums are not imported as one integer type.
static const uint64_t usher_creds_augment = SD_BUS_CREDS_AUGMENT;
