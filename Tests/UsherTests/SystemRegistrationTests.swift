// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import TestSupport
import Testing

/// A Boolean value that is `true` if programs can run here as several users.
private let canBeOthers: Bool = {
  guard getuid() == 0 else { return false }
  let command = ["--reuid=65534", "--clear-groups", BuiltProducts.usher, "--version"]
  return (try? Command.runSynchronously("/usr/bin/setpriv", command))?.succeeded == true
}()

/// Registrations for all users, in directories that replace /usr/local/share and /etc/xdg, with several real users.
@Suite(
  .enabled(if: canBeOthers, "only root can be several users, with setpriv and programs that all can run"))
struct `usher register --system` {
  private let desktop: ThrowAwayDesktop
  private var local: String { "\(desktop.root)/local" }
  /// The environment of every user: the machine's directories.
  private var machine: [String: String] { ["XDG_DATA_DIRS": "\(local):\(desktop.systemData)"] }
  private var list: String { "\(desktop.systemConfig)/mimeapps.list" }
  private var copy: String { "\(local)/applications/org.example.Notes.desktop" }

  init() throws {
    desktop = try ThrowAwayDesktop(hasBus: false)
    try desktop.installUsher()
    for path in [
      desktop.root, desktop.systemConfig, desktop.systemData, desktop.systemData + "/applications",
      desktop.bin,
    ] {
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    }
    try desktop.installDesktopEntry("org.example.Notes", exec: "/bin/true %u", in: .system)
    try desktop.installDesktopEntry("former", exec: "/bin/true %u", schemes: ["notes"], in: .system)
  }

  /// Creates a user with a home directory.
  private func user(_ number: UInt32, defaults: String? = nil) throws -> User {
    let home = "\(desktop.root)/users/\(number)"
    try desktop.write(defaults ?? "", to: "\(home)/.config/mimeapps.list")
    for path in [home, "\(home)/.config", "\(home)/.config/mimeapps.list"] { chown(path, number, number) }
    let environment = desktop.environment.merging(machine) { $1 }.merging([
      "HOME": home, "XDG_CONFIG_HOME": "\(home)/.config", "XDG_DATA_HOME": "\(home)/.local/share",
      "XDG_STATE_HOME": "\(home)/.local/state",
    ]) { $1 }
    return User(number: number, environment: environment)
  }

  private struct User {
    let number: UInt32
    let environment: [String: String]

    func run(_ program: String, _ arguments: [String]) async throws -> CommandResult {
      try await Command.run(
        "setpriv", ["--reuid=\(number)", "--regid=\(number)", "--clear-groups", program] + arguments,
        environment: environment, directory: "/")
    }

    /// Returns gio's answer for this user.
    func gio(_ scheme: String = "notes") async throws -> String {
      let answer = try await run("gio", ["mime", "x-scheme-handler/\(scheme)"]).lines.first ?? ""
      return answer.split(separator: " ").last.map(String.init) ?? ""
    }

    func handler(_ scheme: String = "notes") async throws -> JSONObject? {
      let result = try await run(BuiltProducts.usher, ["handlers", "--json"])
      return try JSONObject(result.output).objects("handlers").first { $0["scheme"] == scheme }
    }
  }

  /// Returns every file of the machine with its content.
  private func files() throws -> [String: String] {
    var files: [String: String] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: desktop.root)
    where ["etc/", "home/", "local/", "share/"].contains(where: name.hasPrefix) {
      guard let text = FileManager.default.contents(atPath: "\(desktop.root)/\(name)") else { continue }
      files[name] = String(decoding: text, as: UTF8.self)
    }
    return files
  }

  private func mode(_ path: String) -> Int? {
    (try? FileManager.default.attributesOfItem(atPath: path))?[.posixPermissions] as? Int
  }

  @Test func `with --default gives all users the default, and a user's own list comes first`() async throws {
    let (ada, ben) = (
      try user(12_345),
      try user(65_534, defaults: "[Default Applications]\nx-scheme-handler/notes=former.desktop\n")
    )
    try await desktop.updateDesktopDatabase()
    let before = try files()
    #expect(try await ada.gio() == "former.desktop")
    // The administrator's umask must not matter.
    let result = try await Command.run(
      "sh",
      ["-c", "umask 077; exec \"$0\" \"$@\"", BuiltProducts.usher, "register", "--system"]
        + ["org.example.Notes", "--scheme", "notes", "--default"],
      environment: desktop.environment.merging(machine) { $1 })
    #expect(result.succeeded, "\(result)")
    #expect(
      result.lines == [
        "notes: links are now opened by org.example.Notes, previously by former, which is now the second choice",
        "  usher: org.usher.Handler.desktop, which opens it with org.example.Notes.desktop",
        "  gio mime: org.usher.Handler.desktop", "  xdg-mime query default: org.usher.Handler.desktop",
        "a user's own mimeapps.list takes precedence; run “usher handlers” as that user to see the result",
      ], "\(result)")
    #expect(result.errorOutput.contains("usher unregister org.example.Notes --scheme notes --system"))
    #expect(mode(copy) == 0o644 && mode(list) == 0o644 && mode("\(local)/applications") == 0o755)
    #expect(try files().keys.filter { $0.hasPrefix("home/") } == before.keys.filter { $0.hasPrefix("home/") })

    #expect(try await ada.gio() == "org.usher.Handler.desktop")
    let hers = try #require(try await ada.handler())
    #expect(hers["application"] == "org.example.Notes" && hers.boolean("through-usher") == true)
    #expect(hers["file"] == list && hers.integer("line") == 2)
    let reported = try await ada.run(BuiltProducts.usher, ["handlers"])
    #expect(reported.output.contains("by \(list):2"), "\(reported)")
    #expect(try await ben.gio() == "former.desktop")
    let his = try #require(try await ben.handler())
    #expect(his["application"] == "former" && his["file"]?.hasSuffix("/65534/.config/mimeapps.list") == true)

    // A repetition changes nothing, and the removal restores every byte.
    let after = try files()
    try await desktop.usher(
      "register", "--system", "org.example.Notes", "--scheme", "notes", "--default", extra: machine
    ).orThrow()
    #expect(try files() == after)
    let back = try await desktop.usher(
      "unregister", "--system", "org.example.Notes", extra: machine)
    #expect(back.succeeded && back.output == "notes: links are now opened by former\n", "\(back)")
    #expect(try files() == before)
    #expect(try await ada.gio() == "former.desktop")
  }

  @Test func `without --default lets the application open links, and changes no list`() async throws {
    let ada = try user(12_345)
    let before = try files()
    let result = try await desktop.usher(
      "register", "--system", "org.example.Notes", "--scheme", "memo", extra: machine)
    #expect(
      result.lines.first
        == "memo: org.example.Notes can now open links, and it opens them; --default makes it the default",
      "\(result)")
    #expect(!FileManager.default.fileExists(atPath: list))
    #expect(try await ada.gio("memo") == "org.example.Notes.desktop")
    let (object, _) = try await desktop.usherJSON(
      "register", "--system", "org.example.Notes", "--scheme", "notes", extra: machine)
    #expect(object.boolean("system") == true && object.boolean("default") == false, "\(object)")
    #expect(
      try await JSONSchema("usher-register").diagnostics(about: [
        desktop.usher(
          "register", "--json", "--system", "org.example.Notes", "--scheme", "notes", extra: machine
        )
        .lines[0]
      ]) == [])
    try await desktop.usher("unregister", "--system", "org.example.Notes", extra: machine).orThrow()
    #expect(try files() == before)
  }

  @Test func `of a user without permission names the command to run, and changes nothing`() async throws {
    let ada = try user(12_345)
    let before = try files()
    let words = ["register", "--system", "org.example.Notes", "--scheme", "notes", "--default"]
    for words in [words, ["unregister", "--system", "org.example.Notes"]] {
      let refused = try await ada.run(BuiltProducts.usher, words)
      let command = "sudo usher " + words.joined(separator: " ")
      #expect(
        refused.status == 1
          && refused.errorOutput.hasPrefix(
            "usher: cannot write to \(local)/applications, which --system needs: Permission denied; run: \(command)\n"
          ),
        "\(refused)")
      let json = try JSONObject(try await ada.run(BuiltProducts.usher, words + ["--json"]).output)
      #expect(json["error"] == "refused" && json["message"]?.contains("run: sudo usher") == true)
    }
    #expect(try files() == before)
  }

  @Test func `puts everything back where gio answers otherwise, or another list comes first`() async throws {
    let before = try files()
    let gio = try desktop.write(
      "#!/bin/sh\necho 'Default application for “x”: other.desktop'\n", to: "refusing/gio", permissions: 0o755
    )
    let path = (gio as NSString).deletingLastPathComponent + ":" + (desktop.environment["PATH"] ?? "")
    let words = ["register", "--system", "org.example.Notes", "--scheme", "notes", "--default"]
    let refused = try await Command.run(
      BuiltProducts.usher, words,
      environment: desktop.environment.merging(machine) { $1 }.merging(["PATH": path]) { $1 })
    #expect(refused.status == 1 && refused.errorOutput.contains("other.desktop"), "\(refused)")
    try FileManager.default.removeItem(atPath: gio)
    try FileManager.default.removeItem(atPath: (gio as NSString).deletingLastPathComponent)
    #expect(try files() == before)
    try desktop.installMimeApps(
      "[Default Applications]\nx-scheme-handler/notes=former.desktop\n", desktop: "gnome", in: .system)
    let other = try files()
    let behind = try await Command.run(
      BuiltProducts.usher, words,
      environment: desktop.environment.merging(machine) { $1 }.merging(["XDG_CURRENT_DESKTOP": "GNOME"]) {
        $1
      })
    #expect(behind.status == 1 && behind.errorOutput.contains("gnome-mimeapps.list"), "\(behind)")
    #expect(try files() == other)
  }

  @Test(arguments: [
    ["--default"], ["--system", "--direct"],
  ])
  func `says which options go together`(options: [String]) async throws {
    let result = try await Command.run(
      BuiltProducts.usher, ["register", "org.example.Notes", "--scheme", "notes"] + options,
      environment: desktop.environment)
    #expect(result.status == 64 && result.errorOutput.contains("--system"), "\(result)")
  }
}
