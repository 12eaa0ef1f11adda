// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

/// A container of bubblewrap, made as docs/remote.md describes: it has the socket of its relay and a client, and no other way to the desk.
struct SeparateContainer: Sendable {
  let relay: RemoteRig
  private let hasOwnNetwork: Bool
  /// The path of the client on the desk.
  private let client: String

  /// Starts the relay of the container `work`; skips the test if this machine cannot make containers.
  ///
  /// - Parameter hasOwnNetwork: Whether it has a network of its own, as with Podman, or that of the desk, as with Toolbx.
  static func start(
    on desk: InstalledDesktop, hasOwnNetwork: Bool = true, isPortable: Bool = false,
    adding variables: [String: String] = [:]
  ) async throws -> SeparateContainer {
    guard
      try await Command.run("bwrap", ["--unshare-net", "--unshare-pid", "--ro-bind", "/", "/", "true"])
        .succeeded
    else { try Test.cancel("no container with a network of its own can be made here") }
    let relay = try await RemoteRig.start("container:work", on: desk, adding: variables)
    return SeparateContainer(
      relay: relay, hasOwnNetwork: hasOwnNetwork,
      client: isPortable ? "\(BuiltProducts.repository)/desktop/remote/usher-open" : relay.front)
  }

  /// Returns the words that run a command in a container, which ends with the program that these words start.
  func words(_ command: [String]) -> [String] {
    let directory = String(relay.socket.dropLast("/socket".count))
    return [
      "bwrap", "--unshare-pid", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/run",
      "--ro-bind", directory, "/run/usher", "--ro-bind", client,
      "/run/usher-client/xdg-open", "--ro-bind", client, "/run/usher-client/usher", "--clearenv", "--setenv",
      "USHER_SOCKET", "/run/usher/socket", "--setenv", "HOME", relay.desk.desktop.home, "--setenv", "PATH",
      "/run/usher-client:/usr/bin:/bin",
    ] + (hasOwnNetwork ? ["--unshare-net"] : []) + ["--"] + command
  }

  /// Runs a command in a container until it exits.
  func run(_ command: String...) async throws -> CommandResult { try await run(command) }

  /// Runs a command in a container until it exits.
  func run(_ command: [String]) async throws -> CommandResult {
    let words = words(command)
    return try await Command.run(words[0], Array(words.dropFirst()))
  }

  /// Starts a command in a container.
  func start(_ command: String...) async throws -> RunningProgram {
    let words = words(command)
    return try await RunningProgram.start(
      words[0], Array(words.dropFirst()), environment: Command.bareEnvironment)
  }

  /// The processes of clients in the container.
  var clients: [DesktopProcess] {
    relay.desk.desktop.processes.filter { process in
      process.arguments.prefix(2).contains {
        ["usher", "xdg-open"].contains($0.split(separator: "/").last.map(String.init))
      }
    }
  }

  /// Waits until no client runs in the container.
  func waitForEndOfClients() async throws {
    try await withDeadline(Command.defaultDeadline, "the end of the clients") {
      while !clients.isEmpty { try await Task.sleep(for: .milliseconds(20)) }
    }
  }
}
