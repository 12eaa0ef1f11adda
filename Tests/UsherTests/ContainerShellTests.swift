// SPDX-License-Identifier: Apache-2.0
import Glibc
import Systemd
import TestSupport
import Testing

@testable import UsherCommand

/// The search for a container, in which Podman is a stand-in.
@Suite struct `A container whose tool gives no answer` {
  /// Returns the failure of the search for the container `work`, for which `podman` is a script of sh.
  private func failure(
    _ script: String, interpreter: String = "#!/bin/sh", within time: Duration = .seconds(60) * timeoutFactor
  ) throws -> RemoteFailure? {
    let desktop = try ThrowAwayDesktop(hasBus: false)
    try desktop.installScript("podman", "\(interpreter)\n\(script)\n")
    var environment = desktop.environment
    // Without the tools of this machine.
    environment["PATH"] = desktop.bin
    return withExtendedLifetime(desktop) {
      #expect(throws: RemoteFailure.self) {
        _ = try ContainerShell("work", environment: environment, within: time)
      }
    }
  }

  @Test func `is not a missing one`() throws {
    for failure in [
      try failure("while :; do :; done", within: .zero), try failure("kill -9 $$"),
      try failure("", interpreter: "#!/nowhere/sh"),
    ] {
      #expect(failure?.isMissingContainer == false)
      #expect(
        failure?.description.hasPrefix("podman does not say whether it has the container “work”: ") == true
          && failure?.description.hasSuffix("or run: podman container inspect work") == true,
        "\(String(describing: failure))")
    }
  }

  @Test func `is missing if the tool says so`() throws {
    #expect(try failure("echo '[]'; exit 125")?.isMissingContainer == true)
  }
}

/// A machine each of whose programs is a script of sh.
private struct Machine: MachineShell {
  let host = "build"
  let script: String
  var timeout = Duration.seconds(60) * timeoutFactor
  let check = "ssh build true"
  func program(running command: String) -> ProcessConfiguration {
    ProcessConfiguration(
      executable: "/bin/sh", arguments: ["sh", "-c", script], environment: ["PATH": "/usr/bin:/bin"])
  }
}

/// Scripts on a machine whose connection ends, or on which no shell can be started.
@Suite struct `A command on a machine that is interrupted` {
  @Test(arguments: ["exit 255", "exit 1", "kill -9 $$"])
  func `is not one that has failed there`(script: String) {
    let setup = RemoteClientSetup(in: Machine(script: script), for: .account)
    for change in [setup.install, setup.remove] {
      let failure = #expect(throws: RemoteFailure.self) { _ = try change() }
      #expect(
        failure?.description.hasPrefix("a command on build was interrupted or could not be run (") == true
          && failure?.description.hasSuffix("run: ssh build true") == true, "\(String(describing: failure))")
    }
  }

  @Test func `has not failed to write a file there`() throws {
    let null = open("/dev/null", O_RDONLY | O_CLOEXEC)
    defer { close(null) }
    #expect(try Machine(script: "true").copy(null, to: "/x"))
    #expect(try !Machine(script: "exit 1").copy(null, to: "/x"))
    for script in ["exit 255", "kill -9 $$"] {
      #expect(throws: RemoteFailure.self) { _ = try Machine(script: script).copy(null, to: "/x") }
    }
  }
}

/// Scripts on a machine that does not answer.
@Suite struct `A machine that does not answer in time` {
  @Test func `is reported, and not as one that runs no command`() {
    let failure = #expect(throws: RemoteFailure.self) {
      _ = try RemoteClientSetup(in: Machine(script: "exec sleep 86400", timeout: .zero), for: .account)
        .remove()
    }
    #expect(
      failure?.description.hasPrefix("a command on build has not ended within 0 s, ") == true,
      "\(String(describing: failure))")
  }
}
