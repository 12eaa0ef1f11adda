// SPDX-License-Identifier: Apache-2.0
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

/// Scripts on a machine that does not answer.
@Suite struct `A machine that does not answer in time` {
  private struct Machine: MachineShell {
    let host = "build"
    let timeout = Duration.zero
    func program(running command: String) -> ProcessConfiguration {
      ProcessConfiguration(
        executable: "/bin/sh", arguments: ["sh", "-c", "exec sleep 86400"],
        environment: ["PATH": "/usr/bin:/bin"])
    }
  }

  @Test func `is reported, and not as one that runs no command`() {
    let failure = #expect(throws: RemoteFailure.self) {
      _ = try RemoteClientSetup(in: Machine(), for: .account).remove()
    }
    #expect(
      failure?.description.hasPrefix("a command on build has not ended within 0 s, ") == true,
      "\(String(describing: failure))")
  }
}
