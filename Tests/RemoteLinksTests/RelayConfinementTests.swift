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

  private func attempts(_ words: String...) async throws -> Set<String> {
    let directory = try TemporaryDirectory()
    let file = "\(directory.path)/secret"
    try "secret\n".write(toFile: file, atomically: false, encoding: .utf8)
    try FileManager.default.createDirectory(
      atPath: "\(directory.path)/sockets", withIntermediateDirectories: false)
    let server = try await RunningProgram.start(
      "/usr/bin/python3",
      [
        "-c",
        "import socket; s = socket.create_server(('127.0.0.1', 0)); print(s.getsockname()[1], flush=True); input()",
      ], environment: [:])
    let port = try await server.line { !$0.isEmpty }
    let result = try await Command.run(
      "\(BuiltProducts.directory)/ConfinementProbe",
      ["\(directory.path)/sockets/relay", file, "/bin/true", port] + words
    ).orThrow()
    server.terminate()
    return Set(result.output.split(separator: "\n").map(String.init))
  }

  @Test func `leave it its socket, and no file of the user, no program and no other connection`() async throws
  {
    #expect(try await attempts("free").isSuperset(of: Self.attempts.union(Self.needs)))
    let possible = try await attempts()
    // Kernels before 5.13, or without Landlock, do not restrict files; seccomp has always been there.
    let restrictsFiles = !possible.contains { $0.hasPrefix("missing: the files") }
    #expect(
      restrictsFiles
        ? possible.isSubset(of: Self.needs.union(["connect to a port", "signal its parent"]))
        : possible.isDisjoint(with: ["start a program", "make memory executable", "use a datagram socket"]),
      "\(possible.sorted())")
    #expect(possible.isSuperset(of: Self.needs))
  }
}
