// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// A relay on a desk, and programs of another machine that reach it by its socket.
struct RemoteRig: Sendable {
  let desk: InstalledDesktop
  let machine: String
  /// The path of the relay's socket.
  let socket: String
  private let relay: RunningProgram
  /// The path of the front, in a directory without other programs of Usher.
  let front: String

  /// Starts a relay for a machine, and copies the front.
  ///
  /// - Parameter variables: Further variables of the relay.
  static func start(
    _ machine: String = "build.example.org", on desk: InstalledDesktop,
    adding variables: [String: String] = [:]
  ) async throws -> RemoteRig {
    let directory = "\(desk.desktop.root)/remote-\(machine)"
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    let socket = "\(directory)/socket"
    let relay = try await RunningProgram.start(
      "\(BuiltProducts.directory)/usher-remote", [machine, socket],
      environment: desk.desktop.environment.merging(variables) { $1 })
    _ = try await relay.line { $0 == "ready" }
    try await Command.run("cp", [BuiltProducts.usher, "\(directory)/usher"]).orThrow()
    return RemoteRig(desk: desk, machine: machine, socket: socket, relay: relay, front: "\(directory)/usher")
  }

  /// Runs the front as on the other machine: without the desk's bus and directories.
  func run(
    _ arguments: [String], as name: String = "usher", adding variables: [String: String] = [:]
  ) async throws -> CommandResult {
    let environment = ["PATH": "/usr/bin:/bin", "USHER_SOCKET": socket].merging(variables) { $1 }
    guard name != "usher" else { return try await Command.run(front, arguments, environment: environment) }
    return try await Command.run(
      "bash", ["-c", "exec -a \(name) \(front) \"$@\"", "bash"] + arguments, environment: environment)
  }

  /// The words that run the front, and those that run the portable client.
  private func client(isPortable: Bool) -> [String] {
    isPortable
      ? ["/usr/bin/python3", "\(BuiltProducts.repository)/desktop/remote/usher-open"] : [front]
  }

  /// The line of a shell that executes its words, with the messages of the program among its output.
  static let execution = #"exec "$0" "$@" 2>&1"#

  /// Starts `usher remote register` on the machine, with its messages among its output.
  func register(_ words: String..., isPortable: Bool = false) async throws -> RunningProgram {
    try await start(["remote", "register"] + words, isPortable: isPortable, by: Self.execution)
  }

  private func start(_ words: [String], isPortable: Bool, by line: String) async throws -> RunningProgram {
    try await RunningProgram.start(
      "sh", ["-c", line] + client(isPortable: isPortable) + words,
      environment: ["PATH": "/usr/bin:/bin", "USHER_SOCKET": socket])
  }

  /// Registers a scheme, and allows it at the notification with this number.
  func register(
    _ words: String..., allowedAt number: Int, of server: NotificationServer, isPortable: Bool = false
  ) async throws -> RunningProgram {
    try await register(words, allowedAt: number, of: server, isPortable: isPortable)
  }

  /// Registers a scheme, and allows it at the notification with this number.
  ///
  /// - Parameter line: The line of the shell that runs the words of the command.
  func register(
    _ words: [String], allowedAt number: Int, of server: NotificationServer, isPortable: Bool = false,
    by line: String = execution
  ) async throws -> RunningProgram {
    let program = try await start(["remote", "register"] + words, isPortable: isPortable, by: line)
    _ = try await server.next(number)
    try await server.press(0, of: number)
    _ = try await program.line { $0.contains("arrive here") }
    return program
  }

  /// Opens links with the front.
  func open(_ arguments: String...) async throws -> CommandResult { try await run(["open"] + arguments) }

  /// Opens links at a terminal on the machine.
  func openAtTerminal(_ arguments: String..., isPortable: Bool = false) async throws -> CommandResult {
    try await Command.run(
      "/usr/bin/python3",
      ["-c", "import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))"]
        + client(isPortable: isPortable) + (isPortable ? [] : ["open"]) + arguments,
      environment: ["PATH": "/usr/bin:/bin", "USHER_SOCKET": socket])
  }

  /// Sends bytes to the relay, and returns what it sends until it closes the connection.
  func send(_ bytes: String) async throws -> String {
    try await Command.run(
      "/usr/bin/python3",
      [
        "-c",
        """
        import socket, sys
        peer = socket.socket(socket.AF_UNIX)
        peer.connect(sys.argv[1])
        peer.sendall(eval("b'" + sys.argv[2] + "'"))
        answer = b''
        while data := peer.recv(65536): answer += data
        print(answer.decode(errors='replace'))
        """, socket, bytes,
      ]
    ).orThrow().output
  }

  /// Returns the next line in which the relay requests that a request is carried to the machine.
  func carryLine() async throws -> String { try await relay.line { $0.hasPrefix("carry ") } }

  /// Sends a line to the relay, as the command that holds the connection to the machine does.
  func answer(_ line: String) { relay.write("\(line)\n") }

  /// Kills the relay.
  func kill() async {
    relay.kill()
    _ = await relay.waitUntilExit()
  }

  /// The process ID of the relay.
  var processIdentifier: Int32 { relay.processIdentifier }

  /// Ends the relay, and returns its exit status.
  func end() async -> Int32? {
    relay.terminate()
    return await relay.waitUntilExit().status
  }
}

extension InstalledDesktop {
  /// The temporary entries of other machines in the user's directory, and the lines about them in its cache.
  var registrationTraces: [String] {
    let directory = "\(desktop.dataHome)/applications"
    let entries = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
    let cache = (try? String(contentsOfFile: "\(directory)/mimeinfo.cache", encoding: .utf8)) ?? ""
    return entries.filter { $0.hasPrefix("org.usher.Remote.") }.sorted()
      + cache.split(separator: "\n").map(String.init).filter { $0.contains("org.usher.Remote.") }
  }

  /// Waits until nothing is left of any registration.
  func waitForEndOfRegistrations() async throws {
    try await withDeadline(Command.defaultDeadline, "the end of the registrations") {
      while !registrationTraces.isEmpty { try await Task.sleep(for: .milliseconds(20)) }
    }
  }
}
