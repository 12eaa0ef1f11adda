// What the test support needs of Linux and Swift's Glibc module lacks. Every descriptor made here is close-on-exec.
#pragma once
#include <sys/types.h>

/// Starts a program in a process group of its own, with default signal handling and only the three descriptors
/// given; 0, or an errno value. `directory` may be null.
int ctest_spawn(pid_t *pid, const char *path, char *const argv[], char *const envp[], const char *directory,
                int input, int output, int error);
/// A descriptor that is readable when the process ends, or -1.
int ctest_pidfd_open(pid_t pid);
/// A nameless file in memory, or -1.
int ctest_memory_file(void);
/// Whether nobody has the file open for writing: 0, or an errno value, EAGAIN where somebody has.
int ctest_has_no_writer(const char *path);
/// Both ends of a pipe, the read end non-blocking; 0 or -1.
int ctest_pipe(int ends[2]);
/// Both ends of a stream socket; 0 or -1.
int ctest_socket_pair(int ends[2]);
/// A non-blocking stream socket that listens at `path`, or -1 with errno set.
int ctest_listen(const char *path);
/// The next connection of a listening socket, non-blocking, or -1.
int ctest_accept(int listener);
