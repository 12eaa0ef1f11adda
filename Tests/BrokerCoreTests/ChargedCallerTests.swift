// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import BrokerCore

/// The identities to which limits apply.
@Suite struct `A charged caller` {
  private static let manager = "/user.slice/user-1000.slice/user@1000.service/app.slice"

  private static func facts(
    unit: String? = nil, program: String? = nil, process: Int = 1,
    _ confinement: CallerCredentials.Confinement? = nil
  ) -> CallerCredentials {
    CallerCredentials(
      confinement: confinement,
      group: unit.map { ControlGroup(text: "0::\(manager)/\($0)\n", user: 1_000) },
      program: program.map { .init(path: $0, file: "1:1") }, process: "process \(process) of 7")
  }

  private static func flatpak(isConfirmed: Bool, _ name: String = "org.example.Boxed")
    -> CallerCredentials.Confinement
  {
    .flatpak(FlatpakInfo(bytes: Array("[Application]\nname=\(name)\n".utf8)), isConfirmed: isConfirmed)
  }

  @Test func `is the unit, so a new connection or process is charged to the same unit`() {
    let one = ChargedCaller(Self.facts(unit: "app-a@1.service", program: "/usr/bin/python3.11", process: 1))
    let other = ChargedCaller(Self.facts(unit: "app-a@1.service", program: "/usr/bin/gio", process: 2))
    #expect(one == other)
    #expect(one != ChargedCaller(Self.facts(unit: "app-b@1.service", program: "/usr/bin/gio", process: 2)))
  }

  @Test func `without a unit is the program, and for interpreters and openers the process`() {
    let chat = ChargedCaller(Self.facts(program: "/usr/bin/chat", process: 1))
    #expect(chat == ChargedCaller(Self.facts(program: "/usr/bin/chat", process: 2)))
    for program in ["/usr/bin/python3.11", "/usr/bin/usher", "/bin/sh"] {
      let caller = ChargedCaller(Self.facts(program: program, process: 1))
      #expect(caller == ChargedCaller(Self.facts(program: program, process: 1)))
      #expect(caller != ChargedCaller(Self.facts(program: program, process: 2)))
      #expect(caller != chat)
    }
  }

  @Test func `in a sandbox is its application if that is verified, in any unit`() {
    let one = ChargedCaller(Self.facts(unit: "app-a@1.service", process: 1, Self.flatpak(isConfirmed: true)))
    let other = ChargedCaller(
      Self.facts(unit: "app-a@2.service", process: 2, Self.flatpak(isConfirmed: true)))
    #expect(one == other)
    var snap = Self.facts(process: 1)
    snap.securityLabel = "snap.chat.one (enforce)"
    var sibling = Self.facts(process: 2)
    sibling.securityLabel = "snap.chat.other (enforce)"
    #expect(ChargedCaller(snap) == ChargedCaller(sibling))
  }

  @Test func `cannot be changed inside a sandbox by new processes or names`() {
    let one = ChargedCaller(Self.facts(program: "/app/a", process: 1, .possible))
    let other = ChargedCaller(Self.facts(program: "/app/b", process: 2, .possible))
    let claimed = ChargedCaller(Self.facts(process: 3, Self.flatpak(isConfirmed: false, "org.example.Other")))
    #expect(one == other && one == claimed)
    let unit = ChargedCaller(
      Self.facts(unit: "app-a@1.service", process: 4, Self.flatpak(isConfirmed: false)))
    #expect(unit == ChargedCaller("app-a@1.service"))
  }

  @Test func `is shared by all callers that cannot be inspected`() {
    #expect(ChargedCaller(nil) == .unidentified)
    #expect(ChargedCaller(CallerCredentials()) == .unidentified)
    #expect(ChargedCaller.unidentified != .unnamedSandboxes)
  }
}
