// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import Foundation
import TestSupport
import Testing

@testable import UsherCommand

/// The file that describes the connection to a machine.
@Suite struct `The description of a connection` {
  private static func description() throws -> ConnectionDescription {
    ConnectionDescription(
      of: try #require(RemoteMachine("build.example.org")), host: "build", user: "ada")
  }

  @Test func `is replaced as a whole`() throws {
    let directory = try TemporaryDirectory()
    let path = "\(directory.path)/build.host"
    // What a killed command has left.
    for name in [path, "\(path).new"] {
      try String(repeating: "x\n", count: 1_000).write(toFile: name, atomically: false, encoding: .utf8)
    }
    #expect(ConnectionDescription(at: path) == nil)
    try Self.description().write(to: path)
    let found = try #require(ConnectionDescription(at: path))
    #expect(found.machine.name == "build.example.org" && found.host == "build" && found.isLogin(of: "ada"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["build.host"])
  }

  @Test func `that cannot be written is an error, and leaves nothing`() throws {
    let directory = try TemporaryDirectory()
    let path = "\(directory.path)/build.host"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    for place in [path, "\(directory.path)/missing/build.host"] {
      let failure = #expect(throws: RemoteFailure.self) { try Self.description().write(to: place) }
      #expect(failure?.description.contains("cannot be described in \(place): ") == true, "\(place)")
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["build.host"])
  }
}
