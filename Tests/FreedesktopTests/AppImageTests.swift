// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import Freedesktop

@Suite struct `An AppImage file` {
  @Test(arguments: [
    ("/a/Notes-1.2.3-x86_64.AppImage", "notes"), ("/a/Notes-1.3.0-x86_64.AppImage", "notes"),
    ("/a/My_Notes_v2.AppImage", "my-notes"), ("/a/My Notes x86_64.AppImage", "my-notes"),
    ("/a/notes.appimage", "notes"), ("/a/Notes", "notes"), ("/a/1password-8.AppImage", "1password"),
    ("/a/notes-beta-arm64.AppImage", "notes-beta"),
  ])
  func `has a name without version and architecture`(path: String, stem: String) {
    #expect(AppImage.stem(of: path) == stem)
  }

  @Test func `is recognized by its content alone`() throws {
    let elf: [UInt8] = [0x7F, 0x45, 0x4C, 0x46, 2, 1, 1, 0]
    for (head, isOne) in [
      (elf + [0x41, 0x49, 1], true), (elf + [0x41, 0x49, 2], true), (elf + [0x41, 0x49, 3], false),
      (elf + [0, 0, 0], false), (elf + [0x41, 0x49], false), (Array("#!/bin/shAI\u{2}".utf8), false),
      ([], false),
    ] { #expect(AppImage.isHead(head) == isOne, "\(head)") }
    let directory = try TemporaryDirectory()
    #expect(AppImage(at: directory.path) == nil && AppImage(at: "\(directory.path)/none") == nil)
    #expect(AppImage(at: try directory.write("short", to: "short")) == nil)
  }
}
