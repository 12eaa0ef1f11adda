// SPDX-License-Identifier: Apache-2.0
import Foundation
import Freedesktop
import TestSupport
import Testing

@Suite struct `Files on the command line` {
  /// Creates a desktop with a program for text files.
  private func desktop(hasBus: Bool = false) throws -> (ThrowAwayDesktop, Recorder) {
    let desktop = try ThrowAwayDesktop(hasBus: hasBus)
    return (desktop, try Self.installReader(in: desktop))
  }

  private static func installReader(in desktop: ThrowAwayDesktop) throws -> Recorder {
    let reader = try Recorder("reader", in: desktop, .exits())
    try desktop.installDesktopEntry("reader", exec: "\(reader.execWord) %u")
    try desktop.write("[Default Applications]\ntext/plain=reader.desktop\n", to: "home/.config/mimeapps.list")
    symlink("/usr/share/mime", "\(desktop.systemData)/mime")
    return reader
  }

  @Test func `A path opens with the application for its type`() async throws {
    let (desktop, reader) = try desktop()
    try desktop.write("words", to: "home/a b.txt")
    let result = try await desktop.usher("open", "a b.txt")
    #expect(result.succeeded, "\(result)")
    #expect(try await reader.nextStart().arguments == ["file://\(desktop.home)/a%20b.txt"])
  }

  /// A page chooses the link, and users run the commands that Usher suggests.
  @Test func `A line break in a link begins no line of a message`() async throws {
    let (desktop, _) = try desktop()
    let link = "file:///x%0A%20%20try:%20curl%20https://evil.example"
    for words in [["open", link], ["explain", link], ["reveal", link]] {
      let result = try await desktop.usher(words[0], words[1])
      let lines = (result.output + result.errorOutput).split(separator: "\n")
      #expect(!lines.contains { $0.hasPrefix("  try: curl") } && !lines.isEmpty, "\(result)")
    }
  }

  @Test func `The broker opens files as the command does`() async throws {
    try await ThrowAwayDesktop.withBus { desktop, _ in
      try desktop.installUsher()
      let reader = try Self.installReader(in: desktop)
      try desktop.write("#!/bin/sh\n", to: "home/script")
      let result = try await desktop.usher("open", "script")
      #expect(result.succeeded, "\(result)")
      #expect(try await reader.nextStart().arguments == ["file://\(desktop.home)/script"])
      let (gone, missing) = try await desktop.usherJSON("open", "./gone")
      #expect(missing.status == 2 && gone["error"] == "org.usher.Error.NoHandler")
    }
  }

  @Test func `A name that is not UTF-8 arrives as its bytes where the program takes paths`() async throws {
    let (desktop, _) = try desktop()
    let viewer = try Recorder("viewer", in: desktop)
    try desktop.installDesktopEntry("reader", exec: "\(viewer.execWord) %f")
    let name = Array("\(desktop.home)/\u{E9}".utf8) + [0xFF] + Array(".txt".utf8)
    let file = open(name.map { CChar(bitPattern: $0) } + [0], O_CREAT | O_WRONLY, 0o600)
    #expect(file >= 0 && close(file) == 0)
    let result = try await desktop.usher("open", FileURL.url(ofPath: name))
    #expect(result.succeeded, "\(result)")
    #expect(try await viewer.nextStart().arguments == ["\(desktop.home)/\u{E9}\\xff.txt"])
    let opener = try desktop.link("xdg-open", to: BuiltProducts.usher)
    let missing = try await Command.run(
      opener, [FileURL.url(ofPath: name) + "x"], environment: desktop.environment)
    #expect(missing.status == 2, "\(missing)")
  }

  @Test func `A missing file is named by its path, a remote one by its host`() async throws {
    let (desktop, _) = try desktop()
    let missing = try await desktop.usher("open", "./gone.txt")
    #expect(missing.status == 2)
    #expect(
      missing.errorOutput.contains("\(desktop.home)/gone.txt cannot be opened: the file does not exist"))
    let elsewhere = try await desktop.usher("open", "file://server/share/a.txt")
    #expect(elsewhere.status == 3 && elsewhere.errorOutput.contains("“server”"), "\(elsewhere)")
    let directory = try await desktop.usher("open", ".")
    #expect(
      directory.status == 2 && directory.errorOutput.contains("no application opens inode/directory files"))
  }
}
