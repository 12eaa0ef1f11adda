// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@Suite struct `Every entry` {
  private func expectValid(_ path: String, on desktop: ThrowAwayDesktop) async throws {
    let result = try await Command.run("desktop-file-validate", [path], environment: desktop.environment)
    #expect(result.succeeded && result.output.isEmpty && result.errorOutput.isEmpty, "\(result)")
  }

  @Test func `that is shipped is valid`() async throws {
    let desktop = try ThrowAwayDesktop(hasBus: false)
    try desktop.installUsher()
    let templates = try await Command.run(
      "find", ["Examples", "-name", "*.desktop.in"], directory: BuiltProducts.repository
    ).orThrow()
    #expect(templates.lines.count > 2, "\(templates)")
    for template in templates.lines { try desktop.install(String(template.dropLast(3)), exec: "/bin/true") }
    for directory in [desktop.systemData, desktop.dataHome].map({ "\($0)/applications" }) {
      let entries = try FileManager.default.contentsOfDirectory(atPath: directory)
      #expect(!entries.isEmpty)
      for entry in entries { try await expectValid("\(directory)/\(entry)", on: desktop) }
    }
  }

  @Test func `that register writes or completes is valid`() async throws {
    let desktop = try ThrowAwayDesktop(hasBus: false)
    try desktop.installUsher()
    let program = try desktop.installScript("My Player", "#!/bin/sh\n")
    try desktop.installDesktopEntry("org.example.Bare", exec: "/bin/true %u", in: .system)
    for arguments in [
      ["org.example.Bare", "--scheme", "bare"],
      ["--name", "My Player", "--exec", "\"\(program)\" %u", "--scheme", "play", "--scheme", "x+y"],
    ] {
      let result = try await Command.run(
        "usher", ["register"] + arguments, environment: desktop.environment)
      #expect(result.succeeded, "\(result)")
    }
    let directory = "\(desktop.dataHome)/applications"
    let entries = try FileManager.default.contentsOfDirectory(atPath: directory).filter {
      $0.hasSuffix(".desktop")
    }
    #expect(entries.count == 2, "\(entries)")
    for entry in entries { try await expectValid("\(directory)/\(entry)", on: desktop) }
  }
}
