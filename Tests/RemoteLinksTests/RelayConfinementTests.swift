// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// The restrictions of the process of a relay, in a program that tries what a relay does not need.
@Suite struct `The restrictions of a relay` {
  /// The attempts that succeed without restrictions, whatever the rights of the user are.
  private static let attempts: Set = [
    "read a file of the user", "write a file of the user", "create a file", "remove a file of the user",
    "read the environment of the parent", "signal its parent", "start a program", "make memory executable",
    "use a datagram socket", "connect to a port",
  ]

  /// The lines about what a relay needs.
  private static let needs: Set = ["listened", "listened at a port"]

  /// Returns the version of Landlock in the kernel, at most 0 if it has none, and the lines that the program printed.
  private func attempts(_ words: String...) async throws -> (landlock: Int, lines: Set<String>) {
    let directory = try TemporaryDirectory()
    let file = "\(directory.path)/secret"
    try "secret\n".write(toFile: file, atomically: false, encoding: .utf8)
    try FileManager.default.createDirectory(
      atPath: "\(directory.path)/sockets", withIntermediateDirectories: false)
    let server = try await RunningProgram.start(
      "/usr/bin/python3",
      [
        "-c",
        """
        import ctypes, socket
        s = socket.create_server(('127.0.0.1', 0))
        # landlock_create_ruleset returns the version, or -1.
        version = ctypes.CDLL(None).syscall(444, None, ctypes.c_size_t(0), ctypes.c_uint(1))
        print(s.getsockname()[1], version, flush=True)
        input()
        """,
      ], environment: [:])
    let numbers = try await server.line { !$0.isEmpty }.split(separator: " ").map(String.init)
    let (port, landlock) = (try #require(numbers.first), try #require(numbers.last.flatMap { Int($0) }))
    let result = try await Command.run(
      "\(BuiltProducts.directory)/ConfinementProbe",
      ["\(directory.path)/sockets/relay", file, "/bin/true", port] + words
    ).orThrow()
    server.terminate()
    return (landlock, Set(result.output.split(separator: "\n").map(String.init)))
  }

  @Test func `leave it its socket, and no file of the user, no program and no other connection`() async throws
  {
    #expect(try await attempts("free").lines.isSuperset(of: Self.attempts.union(Self.needs)))
    let (landlock, possible) = try await attempts()
    // What older kernels cannot deny: connections before Linux 6.7, signals before Linux 6.12.
    var allowed = Self.needs
    if landlock < 4 { allowed.insert("connect to a port") }
    if landlock < 6 { allowed.insert("signal its parent") }
    // Kernels before 5.13, or without Landlock, do not restrict files; seccomp has always been there.
    #expect(
      landlock > 0
        ? possible.isSubset(of: allowed)
        : possible.isDisjoint(with: ["start a program", "make memory executable", "use a datagram socket"]),
      "\(possible.sorted())")
    #expect(possible.isSuperset(of: Self.needs))
  }
}
