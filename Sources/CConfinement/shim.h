// SPDX-License-Identifier: Apache-2.0
#if !__has_include(<seccomp.h>)
#error "seccomp.h is missing; on Debian: apt install libseccomp-dev"
#endif
#include <errno.h>
#include <fcntl.h>
#include <seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

// The action of libseccomp that fails a system call, as a kernel without that call does.
static const uint32_t usher_seccomp_unknown = SCMP_ACT_ERRNO(ENOSYS);
static const uint32_t usher_seccomp_allow = SCMP_ACT_ALLOW;

// Prevents this process and its children from gaining rights by executing a file; 0 on success.
static inline int usher_forbid_new_rights(void) { return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); }

// The C library has no functions for Landlock (landlock(7)), and the kernel's header may be older than the kernel. The numbers of these
// calls are the same on all architectures.
enum { usher_landlock_create_ruleset = 444, usher_landlock_add_rule = 445, usher_landlock_restrict_self = 446 };

// Returns the version of Landlock in the kernel, or -1 if it has none or does not use it.
static inline int usher_landlock_version(void) { return (int)syscall(usher_landlock_create_ruleset, NULL, (size_t)0, 1U); }

// Creates a set of rules that denies these rights to files and to the network and these ways out of the domain; -1 on failure.
static inline int usher_landlock_create(uint64_t files, uint64_t network, uint64_t scopes) {
  // An older kernel accepts a larger structure if what it does not know is zero.
  struct { uint64_t files, network, scopes; } attributes = {files, network, scopes};
  return (int)syscall(usher_landlock_create_ruleset, &attributes, sizeof attributes, 0U);
}

// Allows rights to a file, or to everything below a directory; 0 on success.
static inline int usher_landlock_allow(int rules, const char *path, uint64_t rights) {
  int fd = open(path, __O_PATH | O_CLOEXEC);
  if (fd < 0) return -1;
  struct { uint64_t rights; int32_t fd; } __attribute__((packed)) rule = {rights, fd};
  int result = (int)syscall(usher_landlock_add_rule, rules, 1 /* LANDLOCK_RULE_PATH_BENEATH */, &rule, 0U);
  close(fd);
  return result;
}

// Applies the rules to this thread and those that it will start; 0 on success.
static inline int usher_landlock_restrict(int rules) {
  return (int)syscall(usher_landlock_restrict_self, rules, 0U);
}
