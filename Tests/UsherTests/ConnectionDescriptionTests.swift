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
      of: try #require(RemoteMachine("build.example.org")), host: "build", user: "ada", options: [])
  }

  @Test func `is replaced as a whole`() throws {
    let directory = try TemporaryDirectory()
    let path = "\(directory.path)/build.host"
    // What a killed command has left.
    for name in [path, "\(path).new"] {
      try String(repeating: "-\n", count: 1_000).write(toFile: name, atomically: false, encoding: .utf8)
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
      #expect(failure?.description.contains("cannot write \(place): ") == true, "\(place)")
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["build.host"])
  }

  @Test func `keeps the options of ssh`() throws {
    let directory = try TemporaryDirectory()
    let path = "\(directory.path)/build.host"
    let machine = try #require(RemoteMachine("build.example.org:2222"))
    for options in [[], ["-F", "/home/ada/ssh config", "-o", "Port=2222"]] {
      try ConnectionDescription(of: machine, host: "ada@build", user: "ada", options: options).write(to: path)
      let read = try #require(ConnectionDescription(at: path))
      #expect(read.machine == machine && read.host == "ada@build" && read.isLogin(of: "ada"))
      #expect(read.options == options)
    }
  }

  @Test(arguments: ["build\nada@build\n", "build\nada@build\n\n", "build\nada@build\nada\n"])
  func `is read without options`(text: String) throws {
    let directory = try TemporaryDirectory()
    let read = try #require(ConnectionDescription(at: try directory.write(text, to: "build.host")))
    #expect(read.host == "ada@build" && read.options.isEmpty)
    #expect(read.user == (text.hasSuffix("ada\n") ? "ada" : nil))
  }

  @Test(arguments: ["", "build\n", "build", "-\nada@build\n"])
  func `is ignored if it is not complete`(text: String) throws {
    let directory = try TemporaryDirectory()
    #expect(ConnectionDescription(at: try directory.write(text, to: "build.host")) == nil)
  }
}
