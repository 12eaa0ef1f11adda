// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import DBus
import Systemd
import Testing

@testable import BrokerService

@Suite struct `A caller that asks for a permission` {
  /// A program that certainly exists: the one that runs the tests.
  private static let own = UsherProgram(
    at: ProcDirectory.ownProgram?.split(separator: "/").last.map(String.init) ?? "")

  private static func refusal(
    of path: String, file: String, _ confinement: CallerCredentials.Confinement? = nil
  ) -> String? {
    PermissionService.refusal(
      of: CallerCredentials(confinement: confinement, program: .init(path: path, file: file)),
      unlessRunning: own)?.message
  }

  @Test func `must run usher-triggers outside a sandbox`() throws {
    let path = try #require(Self.own.path)
    let identity = try #require(FileIdentity(path: path))
    let file = "\(identity.device):\(identity.inode)"
    #expect(Self.refusal(of: path, file: file) == nil)
    for refusal in [
      Self.refusal(of: path, file: file, .possible), Self.refusal(of: path, file: "1:1"),
      Self.refusal(of: "/usr/bin/gdbus", file: file),
      PermissionService.refusal(of: nil, unlessRunning: Self.own)?.message,
    ] {
      #expect(refusal?.hasPrefix("only usher-triggers may ask") == true, "\(refusal ?? "nil")")
    }
  }

  @Test func `is refused with a remedy if an upgrade has replaced usher-triggers`() throws {
    let path = try #require(Self.own.path) + " (deleted)"
    let refusal = Self.refusal(of: path, file: "1:1")
    #expect(refusal?.contains("run: pkill -x usher-triggers") == true, "\(refusal ?? "nil")")
    #expect(Self.refusal(of: path, file: "1:1", .possible)?.hasPrefix("only usher-triggers") == true)
  }
}
