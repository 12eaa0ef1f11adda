// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import Freedesktop

@Suite struct FileEditsTests {
  private func edit(_ desktop: TestDesktop, _ path: String, _ after: String?) -> FileEdit {
    FileEdit(
      path: desktop.path(path), before: desktop.text(path).map { Array($0.utf8) },
      after: after.map { Array($0.utf8) })
  }

  private func mode(_ desktop: TestDesktop, _ path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: desktop.path(path))[.posixPermissions] as? Int
  }

  @Test func `Edits create, change and remove files`() throws {
    let desktop = try TestDesktop()
    try desktop.write("b", "old", mode: 0o640)
    try desktop.write("c", "gone")
    try FileEdits([edit(desktop, "new/folder/a", "1"), edit(desktop, "b", "2"), edit(desktop, "c", nil)])
      .apply()
    #expect(desktop.text("new/folder/a") == "1")
    #expect(desktop.text("b") == "2")
    #expect(desktop.text("c") == nil)
    #expect(try mode(desktop, "b") == 0o640)
    #expect(try mode(desktop, "new/folder") == 0o700)
    #expect(
      try desktop.snapshot().keys.sorted() == [
        "b", "bin", "bin/viewer", "home", "new", "new/folder", "new/folder/a",
      ])
  }

  @Test func `Symbolic links are followed and kept`() throws {
    let desktop = try TestDesktop()
    try desktop.write("dotfiles/list", "old")
    try desktop.link("list", to: "dotfiles/list")
    try desktop.link("fresh", to: desktop.path("dotfiles/sub/fresh"))
    try FileEdits([edit(desktop, "list", "new"), edit(desktop, "fresh", "1")]).apply()
    #expect(desktop.text("dotfiles/list") == "new")
    #expect(desktop.text("dotfiles/sub/fresh") == "1")
    try FileEdits([edit(desktop, "list", nil)]).apply()
    #expect(desktop.text("dotfiles/list") == "")
    for link in ["list", "fresh"] {
      #expect(throws: Never.self) {
        try FileManager.default.destinationOfSymbolicLink(atPath: desktop.path(link))
      }
    }
  }

  @Test func `A failed step restores all files`() throws {
    let desktop = try TestDesktop()
    try desktop.write("b", "old")
    try desktop.write("c", "gone")
    try desktop.write("d", "old")
    try desktop.link("loop", to: "loop")
    let before = try desktop.snapshot()
    let edits = FileEdits([
      edit(desktop, "new/folder/a", "1"), edit(desktop, "b", "2"), edit(desktop, "c", nil),
      FileEdit(path: desktop.path("d/below"), before: nil, after: [1]),
    ])
    let error = #expect(throws: FreedesktopError.self) { try edits.apply() }
    #expect(error?.description.contains(desktop.path("d/below")) == true)
    #expect(try desktop.snapshot() == before)
    #expect(throws: FreedesktopError.self) {
      try FileEdits([FileEdit(path: desktop.path("loop"), before: nil, after: [1])]).apply()
    }
  }

  @Test func `A file that another program has changed is left alone`() throws {
    let desktop = try TestDesktop()
    try desktop.write("a", "1")
    try desktop.write("b", "1")
    let edits = FileEdits([edit(desktop, "a", "2"), edit(desktop, "b", "2")])
    try desktop.write("b", "theirs")
    #expect(throws: FreedesktopError.changedMeanwhile(path: desktop.path("b"))) { try edits.apply() }
    #expect(desktop.text("a") == "1")
    #expect(desktop.text("b") == "theirs")
  }

  @Test func `An edit without a change is dropped`() throws {
    let desktop = try TestDesktop()
    try desktop.write("a", "1")
    #expect(FileEdits([edit(desktop, "a", "1")]).edits.isEmpty)
  }
}
