// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Registrations in files that other programs change before, during and after them.
@Suite struct `usher register among other programs` {
  private static let wish = "x-scheme-handler/notes"

  private func makeDesktop() throws -> ThrowAwayDesktop {
    let desktop = try ThrowAwayDesktop(hasBus: false)
    try desktop.installUsher()
    for name in ["notes", "former", "other"] {
      try desktop.installDesktopEntry(name, exec: "/bin/true %u \(name)", in: .system)
    }
    try desktop.installMimeApps("# mine\n[Default Applications]\n\(Self.wish)=former.desktop\n")
    return desktop
  }

  private func list(of desktop: ThrowAwayDesktop) throws -> String {
    try String(contentsOfFile: "\(desktop.configHome)/mimeapps.list", encoding: .utf8)
  }

  @Test(arguments: [true, false], ["xdg-mime", "gio"])
  func `Choices of other tools for other links stay, and our registration is removed`(
    isDirect: Bool, tool: String
  ) async throws {
    let desktop = try makeDesktop()
    let way = isDirect ? ["--direct"] : []
    try await Command.run(
      BuiltProducts.usher, ["register", "notes", "--scheme", "notes"] + way, environment: desktop.environment
    ).orThrow()
    let arguments =
      tool == "gio"
      ? ["mime", "x-scheme-handler/else", "other.desktop"]
      : ["default", "other.desktop", "x-scheme-handler/else"]
    try await Command.run(tool, arguments, environment: desktop.environment).orThrow()
    let before = try await desktop.usher("handlers").output
    #expect(before.contains("notes  notes") && before.contains("else   other"), "\(before)")
    try await desktop.usher("unregister", "notes").orThrow()
    let text = try list(of: desktop)
    // GIO drops a leading comment, regardless of the registration.
    #expect(
      text.contains("# mine\n") == (tool != "gio") && text.contains("\(Self.wish)=former.desktop\n"),
      "\(text)")
    #expect(text.contains("x-scheme-handler/else=other.desktop"), "\(text)")
    #expect(!FileManager.default.fileExists(atPath: "\(desktop.dataHome)/applications/notes.desktop"))
  }

  @Test(arguments: ["xdg-mime", "gio"])
  func `Choices of other tools for our links stay and are shown, and our additions are removed`(tool: String)
    async throws
  {
    let desktop = try makeDesktop()
    try await desktop.usher("register", "notes", "--scheme", "notes").orThrow()
    let arguments =
      tool == "gio" ? ["mime", Self.wish, "other.desktop"] : ["default", "other.desktop", Self.wish]
    try await Command.run(tool, arguments, environment: desktop.environment).orThrow()
    let handlers = try await desktop.usher("handlers").output
    #expect(
      handlers.hasPrefix("notes  other") && handlers.contains("previously registered for: notes"),
      "\(handlers)")
    #expect(try await desktop.usher("doctor").output.contains("other opens it now"))
    let back = try await desktop.usher("unregister", "--scheme", "notes")
    #expect(back.output == "notes: links are now opened by other\n", "\(back)")
    #expect(!FileManager.default.fileExists(atPath: "\(desktop.dataHome)/applications/notes.desktop"))
    #expect(!(try await desktop.usher("doctor")).output.contains("incomplete"))
  }

  @Test func `Who writes while we prove is not overwritten when that fails`() async throws {
    let desktop = try makeDesktop()
    let before = try list(of: desktop)
    try desktop.installScript(
      "gio",
      "#!/bin/sh\necho '# theirs' >>'\(desktop.configHome)/mimeapps.list'\n"
        + "echo 'Default application for “x”: other.desktop'\n")
    let result = try await desktop.usher("register", "notes", "--scheme", "notes")
    #expect(
      result.status == 1
        && result.errorOutput.contains("changes that another program made meanwhile are kept"), "\(result)")
    #expect(try list(of: desktop) == before + "# theirs\n")
    #expect(!FileManager.default.fileExists(atPath: "\(desktop.dataHome)/applications/notes.desktop"))
  }
}
