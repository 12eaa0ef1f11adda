// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import TestSupport
import Testing

@testable import UsherCommand

/// The call of `ssh -G`, which is a stand-in here.
@Suite struct `A query of the configuration of ssh` {
  private static let complete =
    "echo 'hostname build.example.org'; echo 'stricthostkeychecking ask'; echo 'userknownhostsfile /a'"

  /// Returns the client for the host `build`, for which ssh is a script that begins with the line `interpreter`.
  private func client(
    _ script: String, interpreter: String = "#!/bin/sh", within time: Duration = .seconds(60) * timeoutFactor
  ) throws -> SSHClient {
    let desktop = try ThrowAwayDesktop(hasBus: false)
    try desktop.installScript("ssh", "\(interpreter)\n\(script)\n")
    return try withExtendedLifetime(desktop) {
      try SSHClient("build", options: ["-p", "22"], environment: desktop.environment, within: time)
    }
  }

  private func failure(_ script: String) -> String? {
    #expect(throws: RemoteFailure.self) { _ = try client(script) }?.description
  }

  @Test func `has the values of a program that succeeds`() throws {
    #expect(try client(Self.complete).machine.name == "build.example.org")
  }

  @Test(arguments: ["exit 255", "\(complete); exit 255", "true", "exec cat /dev/zero"])
  func `reports an error of the configuration, with the call that failed`(script: String) {
    #expect(failure(script) == "the configuration of ssh for build has an error; run: ssh -N -G -p 22 build")
  }

  @Test func `does not use the output of a program that was killed`() {
    #expect(
      failure("\(Self.complete); kill -9 $$")
        == "ssh was ended by signal 9 (Killed) while it read its configuration for build; "
        + "try again, or run: ssh -N -G -p 22 build")
  }

  @Test func `reports a program that does not answer in time, and not an error of the configuration`() {
    let failure = #expect(throws: RemoteFailure.self) {
      _ = try client("exec sleep 86400", within: .zero)
    }
    #expect(
      failure?.description.hasPrefix("ssh has not read its configuration for build within 0 s, ") == true
        && failure?.description.hasSuffix("try again, or run: ssh -N -G -p 22 build") == true,
      "\(String(describing: failure))")
  }

  /// Returns the refusal of another connection of a client after ssh has become another script; `nil` if it is permitted.
  private func refusal(after script: String) throws -> SSHClient.Refusal? {
    let desktop = try ThrowAwayDesktop(hasBus: false)
    return try withExtendedLifetime(desktop) { () throws -> SSHClient.Refusal? in
      let time = Duration.seconds(60) * timeoutFactor
      try desktop.installScript("ssh", "#!/bin/sh\n\(Self.complete)\n")
      let client = try SSHClient("build", options: [], environment: desktop.environment, within: time)
      try desktop.installScript("ssh", "#!/bin/sh\n\(script)\n")
      do throws(RemoteFailure) { _ = try client.reread(within: time) } catch {
        #expect(error.description == error.refusal?.reason)
        return error.refusal
      }
      return nil
    }
  }

  @Test func `is made again for another connection, which is to the same machine`() throws {
    #expect(try refusal(after: Self.complete) == nil)
    #expect(
      try refusal(after: Self.complete.replacing("build.example.org", with: "other.example.org"))
        == .temporary(
          "the configuration of ssh for build names the machine other.example.org instead of build.example.org at the moment"
        ))
    #expect(
      try refusal(after: "exit 255")
        == .temporary("the configuration of ssh for build has an error; run: ssh -N -G build"))
  }

  @Test func `reports a program that cannot be executed`() {
    let failure = #expect(throws: RemoteFailure.self) {
      _ = try client("", interpreter: "#!/nowhere/sh")
    }
    #expect(
      failure?.description.hasSuffix("/bin/ssh cannot be executed; run: ssh -N -G -p 22 build") == true,
      "\(String(describing: failure))")
  }
}
