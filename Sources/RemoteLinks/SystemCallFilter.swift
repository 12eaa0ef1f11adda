// SPDX-License-Identifier: Apache-2.0
import CConfinement
import Glibc

/// The system calls that a relay needs, as a filter of the kernel (seccomp(2)).
///
/// Every other call fails as on a kernel that does not have it, so that the C library uses an older one instead. Above all, a relay executes
/// no program, and has no namespaces, no tracing and no raw sockets.
enum SystemCallFilter {
  /// A condition on an argument: its bits in the mask have this value.
  private struct Condition {
    let argument: UInt32
    let mask: Int
    let value: Int
  }

  /// The calls that are allowed with all arguments.
  private static let calls = [
    // Memory.
    "brk", "madvise", "membarrier", "mincore", "mremap", "munmap",
    // Threads and signals.
    "arch_prctl", "exit", "exit_group", "futex", "futex_waitv", "get_robust_list", "gettid", "pause", "prctl",
    "restart_syscall",
    "rseq", "rt_sigaction", "rt_sigpending", "rt_sigprocmask", "rt_sigreturn", "rt_sigsuspend",
    "rt_sigtimedwait",
    "sched_getaffinity", "sched_yield", "set_robust_list", "set_tid_address", "sigaltstack", "tgkill",
    // Time.
    "clock_getres", "clock_gettime", "clock_nanosleep", "gettimeofday", "nanosleep", "time", "timerfd_create",
    "timerfd_gettime",
    "timerfd_settime",
    // This process.
    "getegid", "geteuid", "getgid", "getgroups", "getpid", "getppid", "getrandom", "getresgid", "getresuid",
    "getrlimit", "getrusage",
    "getuid", "sysinfo", "uname",
    // Descriptors.
    "close", "close_range", "dup", "dup2", "dup3", "epoll_create1", "epoll_ctl", "epoll_pwait",
    "epoll_pwait2", "epoll_wait", "eventfd2",
    "fcntl", "lseek", "memfd_create", "pipe", "pipe2", "poll", "ppoll", "pread64", "pselect6", "pwrite64",
    "read", "readv", "select",
    "signalfd4", "write", "writev",
    // Files, of which Landlock allows few.
    "access", "faccessat", "faccessat2", "fstat", "fstatfs", "ftruncate", "getcwd", "getdents64", "lstat",
    "newfstatat", "open", "openat",
    "readlink", "readlinkat", "stat", "statfs", "statx", "unlink", "unlinkat",
    // Sockets.
    "accept", "accept4", "bind", "connect", "getpeername", "getsockname", "getsockopt", "listen", "recvfrom",
    "recvmmsg", "recvmsg",
    "sendmmsg", "sendmsg", "sendto", "setsockopt", "shutdown",
  ]

  /// The calls that are allowed with some arguments: each list has the conditions of which all must hold.
  private static let conditional: [(call: String, conditions: [Condition])] = [
    // No memory is executable that was writable.
    ("mmap", [bits(2, mask: PROT_EXEC, 0)]), ("mmap", [bits(2, mask: PROT_EXEC | PROT_WRITE, PROT_EXEC)]),
    ("mprotect", [bits(2, mask: PROT_EXEC, 0)]),
    // Threads (CLONE_THREAD), but no processes and no namespaces (CLONE_NEW…). The flags of clone3 cannot be examined, so that the C
    // library uses clone.
    ("clone", [bits(0, mask: 0x7E03_0080, 0x1_0000)]),
    // The limits of this process are read only.
    ("prlimit64", [Condition(argument: 2, mask: -1, value: 0)]),
    // The mode of the socket, without setuid and setgid.
    ("fchmod", [bits(1, mask: 0o6000, 0)]),
    // Not TIOCSTI, which types at the terminal of the user.
    ("ioctl", [bits(1, mask: -1, Int32(truncatingIfNeeded: FIONREAD))]),
    ("ioctl", [bits(1, mask: -1, Int32(truncatingIfNeeded: TCGETS))]),
    ("ioctl", [bits(1, mask: -1, Int32(truncatingIfNeeded: TIOCGWINSZ))]),
    ("ioctl", [bits(1, mask: -1, Int32(truncatingIfNeeded: FIONBIO))]),
    ("ioctl", [bits(1, mask: -1, Int32(truncatingIfNeeded: FIOCLEX))]),
    // Sockets of the bus, the journal and the clients, and TCP for the answers of sign-ins.
    ("socket", [bits(0, mask: -1, AF_UNIX)]), ("socketpair", [bits(0, mask: -1, AF_UNIX)]),
    ("socket", tcp(AF_INET)), ("socket", tcp(AF_INET6)),
  ]

  private static func tcp(_ family: Int32) -> [Condition] {
    [bits(0, mask: -1, family), bits(1, mask: 0xF, Int32(SOCK_STREAM.rawValue)), bits(2, mask: -1, 0)]
  }

  /// Returns a condition on an argument that the kernel reads as a number of 32 bits.
  private static func bits(_ argument: UInt32, mask: Int32, _ value: Int32) -> Condition {
    Condition(
      argument: argument, mask: Int(UInt32(bitPattern: mask)), value: Int(UInt32(bitPattern: value)))
  }

  /// Applies the filter to this thread and those that it will start; returns the error of the first step that failed, 0 if none did.
  static func load() -> Int32 {
    guard let filter = seccomp_init(usher_seccomp_unknown) else { return EINVAL }
    defer { seccomp_release(filter) }
    for call in calls {
      let failed = allow(call, [], in: filter)
      guard failed == 0 else { return failed }
    }
    for (call, conditions) in conditional {
      let failed = allow(call, conditions, in: filter)
      guard failed == 0 else { return failed }
    }
    return -seccomp_load(filter)
  }

  private static func allow(_ call: String, _ conditions: [Condition], in filter: scmp_filter_ctx) -> Int32 {
    let number = seccomp_syscall_resolve_name(call)
    // Not on this architecture, or newer than the library.
    guard number >= 0 else { return 0 }
    let comparisons = conditions.map {
      scmp_arg_cmp(
        arg: $0.argument, op: SCMP_CMP_MASKED_EQ, datum_a: UInt64(bitPattern: Int64($0.mask)),
        datum_b: UInt64(bitPattern: Int64($0.value)))
    }
    return -seccomp_rule_add_array(
      filter, usher_seccomp_allow, number, UInt32(comparisons.count), comparisons)
  }
}
