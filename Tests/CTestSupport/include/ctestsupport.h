// SPDX-License-Identifier: Apache-2.0
// Functions of Linux that the test support needs and Swift's Glibc module lacks. All descriptors are close-on-exec.
#pragma once
#include <sys/types.h>

/// Starts a program in its own process group, with default signal handling and only the three given descriptors.
/// Returns 0 or an errno value. `directory` may be null.
int ctest_spawn(pid_t *pid, const char *path, char *const argv[], char *const envp[], const char *directory,
                int input, int output, int error);
/// Returns a descriptor that is readable when the process has exited, or -1.
int ctest_pidfd_open(pid_t pid);
/// Returns an unnamed file in memory, or -1.
int ctest_memory_file(void);
/// Checks that no process has the file open for writing. Returns 0 or an errno value, EAGAIN if a process has it open.
int ctest_has_no_writer(const char *path);
/// Creates a pipe with a non-blocking read end. Returns 0 or -1.
int ctest_pipe(int ends[2]);
/// Creates a pair of connected stream sockets. Returns 0 or -1.
int ctest_socket_pair(int ends[2]);
/// Returns a non-blocking stream socket that listens at `path`, or -1 with errno set.
int ctest_listen(const char *path);
/// Returns the next connection of a listening socket, non-blocking, or -1.
int ctest_accept(int listener);
/// Opens a pseudo-terminal of a size, and stores the path of the end for programs. Returns the other end, or -1.
int ctest_open_terminal(int rows, int columns, char *path, size_t length);
/// Changes the size of a pseudo-terminal. Returns 0 or -1.
int ctest_resize_terminal(int terminal, int rows, int columns);
/// Starts a program as the leader of a session on the terminal at a path. Returns 0 or an errno value.
int ctest_spawn_on_terminal(pid_t *pid, const char *path, char *const argv[], char *const envp[], const char *terminal);
