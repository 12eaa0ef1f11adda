// SPDX-License-Identifier: Apache-2.0
import Foundation
import Freedesktop
import Testing

/// Deliberate differences from GIO; `docs/resolution.md` has the reasons.
@Suite(
  .enabled(
    if: FileManager.default.isExecutableFile(atPath: "/usr/bin/gio"), "libglib2.0-bin is not installed"))
struct GIODifferenceTests {
  /// Creates a desktop whose default for `t:` is the entry `a`, then `b`.
  private func desktop(_ entry: String, exec: String = "viewer %u", at name: String = "a") throws
    -> TestDesktop
  {
    let desktop = try TestDesktop()
    try desktop.write(
      "home/.config/mimeapps.list", "[Default Applications]\nx-scheme-handler/t=\(name).desktop;b.desktop;\n")
    try desktop.writeEntry("sys1/applications/\(name).desktop", entry, exec: exec)
    return desktop
  }

  private func ours(_ desktop: TestDesktop) throws -> String? {
    desktop.resolver.resolve(try #require(URLScheme("t"))).application?.id?.desktopFileName
  }

  @Test func `A program is searched in the entry's Path`() throws {
    let desktop = try desktop("", exec: "bin/viewer %u")
    #expect(try ours(desktop) == nil && desktop.gio("t").default == nil)
    try desktop.writeEntry("sys1/applications/a.desktop", "Path=\(desktop.root)\n", exec: "bin/viewer %u")
    // GLib searches there since 2.75; earlier versions lose the link.
    #expect(try ours(desktop) == "a.desktop")
  }

  @Test func `The broker's working directory has no effect`() throws {
    let desktop = try desktop("", exec: "bin/viewer %u")
    let command = "cd '\(desktop.root)' && gio mime x-scheme-handler/t"
    #expect(try desktop.run("/bin/sh", "-c", command).output.contains("a.desktop"))
    #expect(try ours(desktop) == nil)
  }

  @Test func `An entry without a name has no ID`() throws {
    let desktop = try desktop("", at: "")
    #expect(try desktop.gio("t").default == ".desktop")
    #expect(try ours(desktop) == nil)
  }

  @Test func `A named pipe instead of a list does not block`() throws {
    let desktop = try desktop("")
    #expect(mkfifo(desktop.path("sys1/applications/mimeinfo.cache"), 0o600) == 0)
    #expect(try ours(desktop) == "a.desktop")
  }
}
