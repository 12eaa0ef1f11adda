// SPDX-License-Identifier: Apache-2.0
// libsystemd's headers, and the functions that Swift cannot import from them or from glibc.
#pragma once
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <linux/stat.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/timerfd.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#if !__has_include(<systemd/sd-bus.h>)
#error "systemd/sd-bus.h is missing; on Debian: apt install libsystemd-dev"
#endif
#include <systemd/sd-bus.h>
#include <systemd/sd-daemon.h>
#include <systemd/sd-event.h>
#include <systemd/sd-journal.h>
#include <systemd/sd-login.h>
#include <unistd.h>

// Swift's Glibc module omits these headers, so their functions are wrapped here.
static inline void usher_release_free_memory(void) { malloc_trim(0); }
static inline int usher_eventfd(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }
// A timer of the wall clock, which also fires when the clock is set.
static inline int usher_wall_clock_timer(void) { return timerfd_create(CLOCK_REALTIME, TFD_CLOEXEC | TFD_NONBLOCK); }
// Sets the time in milliseconds since 1970, or stops the timer; returns 0 on success, otherwise -1.
static inline int usher_set_wall_clock_timer(int fd, int64_t milliseconds) {
  struct itimerspec time = {.it_value = {.tv_sec = milliseconds / 1000, .tv_nsec = milliseconds % 1000 * 1000000}};
  return timerfd_settime(fd, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, &time, NULL);
}
static inline int usher_signalfd(const sigset_t *set) { return signalfd(-1, set, SFD_CLOEXEC | SFD_NONBLOCK); }
// Returns the number of a pending signal; 0 if there is none.
static inline int usher_read_signal(int fd) {
  struct signalfd_siginfo info = {0};
  return read(fd, &info, sizeof info) == (ssize_t)sizeof info ? (int)info.ssi_signo : 0;
}
// Limits the length of the files that a process writes; returns 0 on success, otherwise -1.
static inline int usher_limit_file_size(pid_t pid, uint64_t size) {
  uint64_t limit[2] = {size, size};
  return (int)syscall(SYS_prlimit64, pid, 1 /* RLIMIT_FSIZE */, limit, NULL);
}
// Raises the soft limit on open files to the hard one; returns the former soft limit, or 0 if it is unchanged.
// glibc calls prlimit64(2), which the system call filters of the units permit, and not setrlimit(2), which they do not.
static inline uint64_t usher_raise_open_files(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) < 0 || limit.rlim_cur >= limit.rlim_max) return 0;
  struct rlimit raised = {limit.rlim_max, limit.rlim_max};
  return setrlimit(RLIMIT_NOFILE, &raised) < 0 ? 0 : limit.rlim_cur;
}
// Renames a file within a directory, without replacing an existing one; returns 0 on success, otherwise -1.
static inline int usher_rename_exclusively(int directory, const char *from, const char *to) {
  return (int)syscall(SYS_renameat2, directory, from, directory, to, 1 /* RENAME_NOREPLACE */);
}
static inline int usher_pidfd_open(pid_t pid) { return (int)syscall(SYS_pidfd_open, pid, 0); }
static inline int usher_pidfd_send_signal(int fd, int signal) {
  return (int)syscall(SYS_pidfd_send_signal, fd, signal, NULL, 0);
}

// Opens a reference to a file (O_PATH) without opening the file itself, so that its file system cannot block.
static inline int usher_open_path(int directory, const char *name) {
  return openat(directory, name, __O_PATH | O_CLOEXEC);
}
// Stores the identity of a file from the kernel's cached data; returns 0 on success, otherwise -1.
static inline int usher_file_identity(int file, uint64_t *device, uint64_t *inode) {
  struct statx status = {0};
  if (syscall(SYS_statx, file, "", 0x1000 /* AT_EMPTY_PATH */ | 0x4000 /* AT_STATX_DONT_SYNC */, STATX_INO, &status) < 0)
    return -1;
  *device = makedev(status.stx_dev_major, status.stx_dev_minor);
  *inode = status.stx_ino;
  return 0;
}

// Creates a listening socket of a type at a path, replacing an existing file; returns -errno on failure. Only the user
// may connect.
static inline int usher_listen(const char *path, int type) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (strlen(path) >= sizeof address.sun_path) return -ENAMETOOLONG;
  strcpy(address.sun_path, path);
  int fd = socket(AF_UNIX, type | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (fd < 0) return -errno;
  // A socket that is left is replaced; another file is not ours.
  struct stat existing;
  if (lstat(path, &existing) == 0) {
    if (!S_ISSOCK(existing.st_mode)) {
      close(fd);
      return -EEXIST;
    }
    unlink(path);
  }
  // The socket file gets the mode of the socket, so that other users cannot connect at any time.
  if (fchmod(fd, 0600) == 0 && bind(fd, (struct sockaddr *)&address, sizeof address) == 0 && listen(fd, 128) == 0) return fd;
  int failed = errno;
  close(fd);
  return -failed;
}
// Creates a listening TCP socket at a port of the loopback address of a family; returns -errno on failure.
static inline int usher_listen_loopback(int family, uint16_t port) {
  struct sockaddr_in v4 = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr = {htonl(INADDR_LOOPBACK)}};
  struct sockaddr_in6 v6 = {.sin6_family = AF_INET6, .sin6_port = htons(port), .sin6_addr = IN6ADDR_LOOPBACK_INIT};
  int fd = socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (fd < 0) return -errno;
  int on = 1;
  // Connections of an earlier listener that have just been closed do not occupy the port; a listener does.
  if (setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) == 0 &&
      (family != AF_INET6 || setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof on) == 0) &&
      (family == AF_INET6 ? bind(fd, (struct sockaddr *)&v6, sizeof v6) : bind(fd, (struct sockaddr *)&v4, sizeof v4)) == 0 &&
      listen(fd, 16) == 0) return fd;
  int failed = errno;
  close(fd);
  return -failed;
}
extern int accept4(int fd, struct sockaddr *address, socklen_t *length, int flags);
static inline int usher_accept(int fd) { return accept4(fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK); }
// Returns the number of the network namespace of a socket (Linux 5.14), or 0 if the kernel does not know it. An accepted local socket has the
// namespace of the process that has connected.
static inline uint64_t usher_network(int fd) {
  uint64_t cookie = 0;
  socklen_t size = sizeof cookie;
  return getsockopt(fd, SOL_SOCKET, 71 /* SO_NETNS_COOKIE */, &cookie, &size) < 0 ? 0 : cookie;
}
// Returns a pidfd of the process at the other end, independent of reused process IDs (Linux 6.5), or -errno.
static inline int usher_peer_pidfd(int fd) {
  int process = -1;
  socklen_t size = sizeof process;
  return getsockopt(fd, SOL_SOCKET, 77 /* SO_PEERPIDFD */, &process, &size) < 0 ? -errno : process;
}
// Makes the kernel add the sender's process ID to every packet that is sent to this end from now on; 0 on success,
// otherwise -1.
static inline int usher_pass_credentials(int fd) {
  int on = 1;
  return setsockopt(fd, SOL_SOCKET, SO_PASSCRED, &on, sizeof on);
}
// Receives a packet, of which only the sender is returned: its process ID, or -1 if the packet has none. Returns as
// recv(2).
static inline ssize_t usher_receive_sender(int fd, int *process) {
  struct { int pid; unsigned uid, gid; } sender;  // struct ucred
  union { struct cmsghdr header; char room[CMSG_SPACE(sizeof sender)]; } control;
  char bytes[16];
  struct iovec data = {.iov_base = bytes, .iov_len = sizeof bytes};
  struct msghdr message = {
    .msg_iov = &data, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
  *process = -1;
  ssize_t count = recvmsg(fd, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
  struct cmsghdr *header = count < 0 ? NULL : CMSG_FIRSTHDR(&message);
  if (header && header->cmsg_level == SOL_SOCKET && header->cmsg_type == 2 /* SCM_CREDENTIALS */ &&
      header->cmsg_len == CMSG_LEN(sizeof sender)) {
    memcpy(&sender, CMSG_DATA(header), sizeof sender);
    *process = sender.pid;
  }
  return count;
}

// Creates a non-blocking pipe that is closed on exec.
extern int pipe2(int ends[2], int flags);
static inline int usher_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC | O_NONBLOCK); }

// Waits for a pidfd with waitid(2): returns 0 with code and status set (code 0 if it is still running), or -errno.
static inline int usher_wait_pidfd(int fd, int options, int *code, int *status) {
  siginfo_t info = {0};
  if (waitid((idtype_t)3 /* P_PIDFD */, (id_t)fd, &info, WEXITED | options) < 0) return -errno;
  *code = info.si_pid == 0 ? 0 : info.si_code;
  *status = info.si_status;
  return 0;
}

// These two functions are declared only with _GNU_SOURCE.
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *, int);
extern int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *, const char *);
static inline int usher_spawn_close_from(posix_spawn_file_actions_t *actions, int from) {
  return posix_spawn_file_actions_addclosefrom_np(actions, from);
}
static inline int usher_spawn_change_directory(posix_spawn_file_actions_t *actions, const char *path) {
  return posix_spawn_file_actions_addchdir_np(actions, path);
}
extern int dup3(int from, int to, int flags);

// Closes all descriptors from `from`; safe between fork and exec.
static inline void usher_close_from(unsigned from) {
  if (syscall(436 /* close_range */, from, ~0U, 0) == 0) return;
  for (unsigned fd = from; fd < 65536; fd++) close((int)fd);
}
// Prepares the child of usher_spawn_by_fork and executes its program; returns the error number.
static inline int usher_execute_child(
  pid_t parent, const char *path, char *const argv[], char *const envp[], const char *directory, int input, int output,
  int error, int mute, int in_session, int ending, uint64_t files) {
  struct sigaction usual;
  memset(&usual, 0, sizeof usual);
  usual.sa_handler = SIG_DFL;
  for (int number = 1; number < NSIG; number++) sigaction(number, &usual, NULL);
  if (!in_session && setsid() < 0) return errno;
  if (input < 0 && !in_session && (input = open("/dev/null", O_RDONLY)) < 0) return errno;
  if (input >= 0 && dup2(input, STDIN_FILENO) < 0) return errno;
  if (output >= 0 && dup2(output, STDOUT_FILENO) < 0) return errno;
  if (error >= 0 && dup2(error, STDERR_FILENO) < 0) return errno;
  if (mute) {
    int null = open("/dev/null", O_WRONLY);
    if (null < 0 || dup2(null, STDERR_FILENO) < 0) return errno;
  }
  // Descriptor 3 reports an error, and is closed when the program is executed.
  usher_close_from(4);
  if (directory && chdir(directory) < 0) return errno;
  if (syscall(SYS_prctl, 1 /* PR_SET_PDEATHSIG */, ending, 0, 0, 0) < 0) return errno;
  // If the parent has exited before, the signal is never sent.
  if (ending != 0 && getppid() != parent) return ESRCH;
  struct rlimit limit;
  if (files != 0 && getrlimit(RLIMIT_NOFILE, &limit) == 0) {
    limit.rlim_cur = files;
    setrlimit(RLIMIT_NOFILE, &limit);
  }
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  execve(path, argv, envp);
  return errno;
}
// Starts a program in its own session, to which the kernel sends the signal `ending`, unless it is 0, when the calling thread exits;
// returns 0 or the error number. Without a descriptor (-1), the input is /dev/null, and the output or error is that of this process. With
// `in_session`, it stays in the session of this process, and has its input. Its soft limit on open files is `files`, unless that is 0.
static inline int usher_spawn_by_fork(
  const char *path, char *const argv[], char *const envp[], const char *directory, int input, int output, int error,
  int mute, int in_session, int ending, uint64_t files, pid_t *pid) {
  int failure[2];
  if (pipe2(failure, O_CLOEXEC) < 0) return errno;
  pid_t parent = getpid();
  // A signal handler of this process must not run in the child.
  sigset_t all, former;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &former);
  pid_t child = fork();
  if (child == 0) {
    // Only functions that are safe in the child of a process with several threads are called here. The descriptor for
    // the error is above those that the program gets, and closed when it is executed.
    int report = fcntl(failure[1], F_DUPFD_CLOEXEC, 10);
    int given[3] = {input, output, error}, ends[3];
    int failed = report < 0 ? errno : 0;
    for (int i = 0; i < 3; i++) {
      ends[i] = given[i] < 0 ? -1 : fcntl(given[i], F_DUPFD, 10);
      if (given[i] >= 0 && ends[i] < 0) failed = errno;
    }
    dup3(report, 3, O_CLOEXEC);
    if (failed == 0)
      failed = usher_execute_child(
        parent, path, argv, envp, directory, ends[0], ends[1], ends[2], mute, in_session, ending, files);
    (void)!write(3, &failed, sizeof failed);
    _exit(127);
  }
  int failed = child < 0 ? errno : 0;
  pthread_sigmask(SIG_SETMASK, &former, NULL);
  close(failure[1]);
  if (child > 0) {
    ssize_t count;
    do count = read(failure[0], &failed, sizeof failed); while (count < 0 && errno == EINTR);
    if (count == (ssize_t)sizeof failed) waitpid(child, NULL, 0);
    else failed = 0;
  }
  close(failure[0]);
  *pid = child;
  return failed;
}

// Replaces the arguments of this process, which other programs see; proc(5) describes the fields of the file.
static inline void usher_rename_process(const char *name) {
  char text[2048];
  int file = open("/proc/self/stat", O_RDONLY | O_CLOEXEC);
  ssize_t length = read(file, text, sizeof text - 1);
  close(file);
  text[length < 0 ? 0 : length] = 0;
  const char *field = strrchr(text, ')');
  for (int number = 2; field && number < 48; number++) field = strchr(field + 1, ' ');
  char *end = NULL;
  uintptr_t from = field ? strtoul(field, &end, 10) : 0, to = from ? strtoul(end, NULL, 10) : 0;
  if (from == 0 || to < from + strlen(name) + 1) return;
  memset((char *)from, 0, to - from);
  strcpy((char *)from, name);
}
// The loop of usher_start_guard's process: reads process groups from descriptor 0 until its end, and kills them.
static inline void usher_guard_groups(void) {
  enum { maximum = 512 };
  pid_t groups[maximum], group;
  int count = 0;
  ssize_t length;
  while ((length = read(0, &group, sizeof group)) == (ssize_t)sizeof group || (length < 0 && errno == EINTR)) {
    if (length < 0) continue;
    if (group > 0 && count < maximum) groups[count++] = group;
    for (int i = 0; group < 0 && i < count; i++)
      if (groups[i] == -group) groups[i--] = groups[--count];
  }
  for (int i = 0; i < count; i++) kill(-groups[i], SIGKILL);
  // A killed process exits when it leaves the kernel. A second is enough unless its file system hangs.
  for (int i = 0, tries = 0; i < count && tries < 1000; tries++) {
    if (kill(-groups[i], 0) < 0) { i++; continue; }
    struct timespec pause = {.tv_nsec = 1000000};
    nanosleep(&pause, NULL);
  }
}
// Starts a process that kills process groups when this process has exited. Returns the pipe to it, or -errno: a positive
// process ID adds its group, a negative one removes it. The process keeps `lock` open until the groups have ended.
static inline int usher_start_guard(int lock) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) < 0) return -errno;
  sigset_t all, former;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &former);
  pid_t child = fork();
  if (child == 0) {
    // It outlives the signals that end this process, has another name than it, and holds none of its descriptors.
    setsid();
    syscall(SYS_prctl, 15 /* PR_SET_NAME */, "usher-guard", 0, 0, 0);
    int input = fcntl(ends[0], F_DUPFD, 10), kept = lock < 0 ? -1 : fcntl(lock, F_DUPFD, 10);
    if (dup2(input, 0) < 0) _exit(1);
    if (kept < 0) close(1);
    else dup2(kept, 1);
    usher_close_from(2);
    usher_rename_process("usher-guard");
    if (chdir("/") == 0) usher_guard_groups();
    _exit(0);
  }
  int failed = errno;
  pthread_sigmask(SIG_SETMASK, &former, NULL);
  close(ends[0]);
  if (child > 0) return ends[1];
  close(ends[1]);
  return -failed;
}
// Locks a file without waiting; returns 0, or -1 with errno. The lock belongs to the open file, which children share.
static inline int usher_try_lock(int fd) { return flock(fd, LOCK_EX | LOCK_NB); }
// The macro POSIX_SPAWN_SETSID is visible to Swift only with _GNU_SOURCE.
static const short usher_spawn_flags = 0x80 /* SETSID */ | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF;
static const short usher_spawn_flags_in_session = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF;

// Returns whether the kernel reports every change in a directory, which it cannot on network and FUSE file systems.
static inline int usher_tells_changes(const char *directory) {
  struct statfs facts = {0};
  if (statfs(directory, &facts) < 0) return 0;
  switch ((unsigned)facts.f_type) {
    case 0x0000EF53: /* ext2 to 4 */
    case 0x01021994: /* tmpfs */
    case 0x2011BAB0: /* exfat */
    case 0x2FC12FC1: /* zfs */
    case 0x3153464A: /* jfs */
    case 0x00004D44: /* fat */
    case 0x58465342: /* xfs */
    case 0x7366746E: /* ntfs3 */
    case 0x73717368: /* squashfs */
    case 0x794C7630: /* overlayfs */
    case 0x858458F6: /* ramfs */
    case 0x9123683E: /* btrfs */
    case 0x00009660: /* iso9660 */
    case 0xCA451A4E: /* bcachefs */
    case 0xE0F5E1E2: /* erofs */
    case 0xF2F52010: /* f2fs */
      return 1;
    default: return 0;
  }
}
