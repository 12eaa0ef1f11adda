// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import TestSupport
import Testing

@Suite struct `Paths on the command line` {
  private func decided(_ arguments: String..., in desktop: ThrowAwayDesktop) async throws -> [String?] {
    let result = try await Command.run(
      BuiltProducts.usher, ["open", "--dry-run", "--json"] + arguments, environment: desktop.environment,
      directory: desktop.home)
    return try JSONObject(result.output).objects("decisions").map { $0["url"] }
  }

  @Test func `A path becomes a file URL, every byte of it`() async throws {
    let desktop = try ThrowAwayDesktop(hasBus: false)
    try desktop.write("", to: "home/a b%25#?é;.txt")
    let home = "file://\(desktop.home)"
    #expect(
      try await decided("a b%25#?é;.txt", "./x//./y", "/", "sub/", in: desktop) == [
        "\(home)/a%20b%2525%23%3F%C3%A9%3B.txt", "\(home)/x/y", "file:///", "\(home)/sub/",
      ])
  }

  @Test func `Two dots in a path are resolved by the file system`() async throws {
    let desktop = try ThrowAwayDesktop(hasBus: false)
    try desktop.write("", to: "home/real/inner/file")
    try desktop.write("", to: "home/real/other")
    symlink("\(desktop.home)/real/inner", "\(desktop.home)/link")
    let real = try #require(realpath(desktop.home, nil))
    defer { free(real) }
    #expect(
      try await decided("link/../other", in: desktop) == ["file://\(String(cString: real))/real/other"])
  }

  /// It became a path from the root.
  @Test func `A relative path in a removed directory is not opened`() async throws {
    let desktop = try ThrowAwayDesktop(hasBus: false)
    let result = try await Command.run(
      "bash",
      [
        "-c", #"mkdir gone; cd gone; rmdir "$PWD"; "$1" open --dry-run etc/hosts"#, "bash",
        BuiltProducts.usher,
      ], environment: desktop.environment, directory: desktop.home)
    #expect(result.status == 65, "\(result)")
    #expect(result.errorOutput.contains("it is neither an existing file nor a URL"), "\(result)")
  }

  @Test func `A URL stays one, unless a file has that very name and a person asks`() async throws {
    let desktop = try ThrowAwayDesktop(hasBus: false)
    try desktop.write("", to: "home/notes:7")
    #expect(
      try await decided("notes:7", "notes:8", in: desktop) == ["file://\(desktop.home)/notes:7", "notes:8"])
    #expect(try await decided("--from-desktop", "notes:7", in: desktop) == ["notes:7"])
    // KDE's opener passes spaces in this form.
    #expect(try await decided("--from-desktop", "notes:a b  c", in: desktop) == ["notes:a%20b%20%20c"])
  }

  @Test func `A link stays a link, whatever files the directory contains`() async throws {
    let desktop = try ThrowAwayDesktop(hasBus: false)
    try desktop.installScript("viewer", "#!/bin/sh\n")
    try desktop.installDesktopEntry("viewer", exec: "viewer %u", schemes: ["notes"])
    try desktop.setDefaults(["notes": ["viewer"]])
    for name in ["https:/zoom.us/x.txt", "notes:7", "other:7", "javascript:x", "file:/etc/hosts"] {
      try desktop.write("", to: "home/\(name)")
    }
    let links = ["https://zoom.us/x.txt", "HTTPS://zoom.us/x.txt", "notes:7", "file:/etc/hosts"]
    for link in links { #expect(try await decided(link, in: desktop) == [link], "\(link)") }
    let home = "file://\(desktop.home)"
    #expect(
      try await decided("./https://zoom.us/x.txt", "./notes:7", "other:7", in: desktop) == [
        "\(home)/https:/zoom.us/x.txt", "\(home)/notes:7", "\(home)/other:7",
      ])
  }

  @Test func `A name and a URL that are not UTF-8 arrive`() async throws {
    let desktop = try ThrowAwayDesktop(hasBus: false)
    let script = #"""
      name=$(printf 'a\377b'); : >"$name"; usher=$1
      "$usher" open --dry-run --json "$name"; "$usher" open --dry-run --json "$(printf 'x:/\377')"
      """#
    let result = try await Command.run(
      "bash", ["-c", script, "bash", BuiltProducts.usher], environment: desktop.environment,
      directory: desktop.home)
    #expect(result.lines.count == 2, "\(result)")
    #expect(result.lines.first?.contains("file://\(desktop.home)/a%FFb\"") == true, "\(result)")
    #expect(result.lines.last?.contains("x:/%FF") == true, "\(result)")
    #expect(result.lines.last?.contains("bytes that are not UTF-8 are percent-encoded") == true)
  }

  @Test func `GLib spells the same file URLs`() async throws {
    let path =
      "/" + String((1..<127).filter { $0 != 47 }.map { Character(Unicode.Scalar(UInt8($0))) }) + "é/z"
    let glib = try await Command.run(
      "/usr/bin/python3",
      [
        "-c", "import sys; from gi.repository import GLib; print(GLib.filename_to_uri(sys.argv[1], None))",
        path,
      ])
    let desktop = try ThrowAwayDesktop(hasBus: false)
    #expect(try await decided(path, in: desktop) == glib.lines)
  }
}
