// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import Foundation
import TestSupport
import Testing

@testable import Launching

/// Tests of the directory in `$XDG_RUNTIME_DIR`, which other programs of the user may have prepared.
@Suite struct `The file of an envelope` {
  private let runtime: TemporaryDirectory
  private var directory: String { "\(runtime.path)/usher" }
  private let files = FileManager.default

  init() throws { runtime = try TemporaryDirectory() }

  private func write() -> EnvelopeFile? {
    EnvelopeFile(Envelope(requestID: "1", urls: ["notes:secret"]), in: runtime.path)
  }

  private func mode(_ path: String) throws -> Int? {
    try files.attributesOfItem(atPath: path)[.posixPermissions] as? Int
  }

  @Test func `has mode 0600 in a directory of mode 0700, even if that was open to others`() throws {
    for _ in 1...2 {
      let file = try #require(write())
      #expect(try mode(file.path) == 0o600 && mode(directory) == 0o700)
      file.remove()
      #expect(!files.fileExists(atPath: file.path))
      try files.setAttributes([.posixPermissions: 0o777], ofItemAtPath: directory)
    }
  }

  @Test func `is not written through a symbolic link, nor are files removed through one`() throws {
    let elsewhere = try runtime.makeDirectory("elsewhere")
    let old = try runtime.write("{}", to: "elsewhere/old.json")
    try files.setAttributes([.modificationDate: Date(timeIntervalSinceNow: -4_000)], ofItemAtPath: old)
    try files.createSymbolicLink(atPath: directory, withDestinationPath: elsewhere)
    #expect(write() == nil)
    EnvelopeFile.removeExpired(in: runtime.path)
    #expect(try files.contentsOfDirectory(atPath: elsewhere) == ["old.json"])
  }

  @Test func `does not exist if the directory is a file, or without a runtime directory`() throws {
    try runtime.write("", to: "usher")
    #expect(write() == nil)
    #expect(EnvelopeFile(Envelope(requestID: "1", urls: ["notes:"]), in: "\(runtime.path)/none") == nil)
  }

  @Test func `that was left is removed after an hour, but never a symbolic link of that name`() throws {
    let kept = try #require(write())
    let left = try runtime.write("{}", to: "usher/left.json")
    let outside = try runtime.write("{}", to: "outside.json")
    for path in [left, outside] {
      try files.setAttributes([.modificationDate: Date(timeIntervalSinceNow: -4_000)], ofItemAtPath: path)
    }
    try files.createSymbolicLink(atPath: "\(directory)/link.json", withDestinationPath: outside)
    EnvelopeFile.removeExpired(in: runtime.path)
    #expect(files.fileExists(atPath: kept.path) && files.fileExists(atPath: outside))
    #expect(Set(try files.contentsOfDirectory(atPath: directory)).subtracting(["link.json"]).count == 1)
  }

  @Test func `that has the earliest possible time is removed`() throws {
    let runtime = try TemporaryDirectory.inMemory()
    let left = try runtime.write("{}", to: "usher/left.json")
    try TemporaryDirectory.setEarliestTime(of: left)
    EnvelopeFile.removeExpired(in: runtime.path)
    #expect(!files.fileExists(atPath: left))
  }
}
