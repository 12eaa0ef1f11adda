// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@testable import UsherCommand

@Suite struct `The file of a download` {
  @Test func `is that which other programs mean by a path with .. behind a symbolic link`() throws {
    let desktop = try ThrowAwayDesktop(hasBus: false)
    let home = try #require(
      realpath(desktop.home, nil).map { path in
        defer { free(path) }
        return String(cString: path)
      })
    let files = FileManager.default
    try files.createDirectory(atPath: "\(home)/data/new", withIntermediateDirectories: true)
    try files.createSymbolicLink(atPath: "\(home)/link", withDestinationPath: "data/new")
    #expect(try DownloadAddCommand.absolute("\(home)/link/../a.zip") == "\(home)/data/a.zip")
    #expect(try DownloadAddCommand.absolute("\(home)/./link//a.zip") == "\(home)/link/a.zip")
    #expect(try DownloadAddCommand.absolute("/../a.zip") == "/a.zip")
    for path in ["\(home)/none/../a.zip", "\(home)/link/.."] {
      #expect(throws: (any Error).self) { try DownloadAddCommand.absolute(path) }
    }
  }
}
