// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import Testing

@testable import Freedesktop

/// Tests of the MIME types of files, compared with those of the real `gio info`.
@Suite(
  .enabled(
    if: FileManager.default.isExecutableFile(atPath: "/usr/bin/gio"), "libglib2.0-bin is not installed"))
struct FileTypeTests {
  private func gio(_ path: String, _ desktop: TestDesktop) throws -> String? {
    let output = try desktop.run("/usr/bin/gio", "info", "-a", "standard::content-type", path).output
    return output.split(separator: "\n").first { $0.contains("standard::content-type") }
      .flatMap { $0.split(separator: " ").last.map(String.init) }
  }

  @Test func `A file has the type that GIO gives it`() throws {
    let desktop = try TestDesktop()
    try desktop.link("sys1/mime", to: "/usr/share/mime")
    let texts: [(String, String)] = [
      ("a.html", "<p>"), ("empty.html", ""), ("empty", ""), ("script", "#!/bin/sh\n"), ("a.PDF", "x"),
      ("page", "<!DOCTYPE html>\n"), ("document", "%PDF-1.4\n"), ("text", "just words\n"),
      ("data", "\u{1}\u{2}\u{0}"),
      ("a.tar.gz", "x"), ("Makefile", "all:\n"), ("a.unknown-suffix", "words"), ("core", "x"),
      ("a b.svg", "<svg/>"),
      ("a.desktop", "[Desktop Entry]\n"), ("hidden-desktop", "[Desktop Entry]\nType=Application\n"),
    ]
    for (name, text) in texts {
      try desktop.write("files/\(name)", text)
      let path = desktop.path("files/\(name)")
      let expected = try #require(try gio(path, desktop))
      #expect(
        LocalFiles().type(ofFileAt: path.utf8) == MIMEType(expected).map(FileTypeOutcome.type), "\(name)")
    }
    #expect(mkfifo(desktop.path("pipe"), 0o600) == 0)
    #expect(
      LocalFiles().type(ofFileAt: desktop.path("pipe").utf8)
        == MIMEType("inode/fifo").map(FileTypeOutcome.type))
    #expect(LocalFiles().type(ofFileAt: desktop.root.utf8) == .type(.directory))
    #expect(LocalFiles().type(ofFileAt: desktop.path("gone").utf8) == .missing)
  }

  @Test(arguments: ["", "text", "text/", "/plain", "a/b/c", "text/ plain", "t\u{E9}xt/plain"])
  func `An invalid MIME type is rejected`(text: String) {
    #expect(MIMEType(text) == nil)
  }

  @Test(
    arguments: [
      ("file:///a%20b", .path(Array("/a b".utf8))), ("file:/a", .path(Array("/a".utf8))),
      ("FILE://LOCALHOST/a?b#c", .path(Array("/a".utf8))), ("file:///%FF", .path([0x2F, 0xFF])),
      ("file://host/a", .host("host")), ("file://host", .host("host")), ("file:a", .nowhere),
      ("file://", .nowhere),
      ("file:///%0", .nowhere), ("file:///%00", .nowhere), ("http://host/a", nil), ("/a", nil),
    ] as [(String, FileURL.Place?)])
  func `A file URL names a place`(url: String, place: FileURL.Place?) {
    #expect(FileURL.place(of: url) == place)
  }
}
