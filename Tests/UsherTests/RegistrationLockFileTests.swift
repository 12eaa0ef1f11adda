// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@Suite struct `A lock of direct registration` {
  @Test func `refuses usher register --direct, and the doctor names what was registered before`() async throws
  {
    let desktop = try ThrowAwayDesktop(hasBus: false)
    try desktop.installUsher()
    try desktop.installDesktopEntry("org.example.Notes", exec: "/bin/true %u", in: .system)
    let direct = ["register", "org.example.Notes", "--direct", "--scheme"]
    try await Command.run(BuiltProducts.usher, direct + ["memo"], environment: desktop.environment).orThrow()
    let file = try desktop.write("format = 1\ndirect_registration = false\n", to: "etc/usher/locks.toml")
    let list = "\(desktop.configHome)/mimeapps.list"
    let before = try String(contentsOfFile: list, encoding: .utf8)
    let refused = try await Command.run(
      BuiltProducts.usher, direct + ["notes"], environment: desktop.environment)
    #expect(
      refused.status == 1
        && refused.errorOutput
          == "usher: `usher register --direct` is disabled by \(file); leave out --direct to register through the broker\n",
      "\(refused)")
    #expect(try String(contentsOfFile: list, encoding: .utf8) == before)
    let (object, _) = try await desktop.usherJSON("doctor")
    #expect(object.objects("locks").map { $0["lock"] } == ["direct_registration"])
    #expect(object.objects("locks").map { $0["file"] } == [file])
    let findings = object.objects("findings").filter { $0["check"] == "locks" }
    #expect(
      findings.map { $0["message"] } == [
        "memo is registered with --direct, which \(file) disables; org.example.Notes receives these links without the broker"
      ])
    #expect(findings.map { $0["command"] } == ["usher register org.example.Notes --scheme memo"])
    try await desktop.usher("register", "org.example.Notes", "--scheme", "memo", "--scheme", "notes")
      .orThrow()
    let (later, _) = try await desktop.usherJSON("doctor")
    #expect(later.objects("findings").filter { $0["check"] == "locks" }.isEmpty)
  }
}
