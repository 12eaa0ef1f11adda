// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport

@testable import UsherCommand

/// A real X server without a screen, which admits clients with its cookie.
final class X11Server: Sendable {
  private let program: RunningProgram
  private let directory: TemporaryDirectory
  private let number: String

  /// The environment variables with which clients find the server.
  var variables: [String: String] { ["DISPLAY": ":\(number)", "XAUTHORITY": "\(directory.path)/authority"] }

  private init(_ program: RunningProgram, _ directory: TemporaryDirectory, _ number: String) {
    (self.program, self.directory, self.number) = (program, directory, number)
  }

  /// Starts a server on a free display.
  static func start() async throws -> X11Server {
    let directory = try TemporaryDirectory()
    let cookie = (0..<16).map { _ in UInt8.random(in: .min ... .max) }
    try Data(authority(0xFFFF, "", "", cookie)).write(to: URL(fileURLWithPath: "\(directory.path)/authority"))
    let program = try await RunningProgram.start(
      "Xvfb",
      [
        "-displayfd", "1", "-screen", "0", "64x64x24", "-nolisten", "tcp", "-auth",
        "\(directory.path)/authority",
      ])
    return X11Server(program, directory, try await program.line { !$0.isEmpty })
  }

  func variable(_ name: String) -> String? { variables[name] }

  /// Returns an entry of an authority file.
  static func authority(_ family: UInt16, _ address: String, _ number: String, _ cookie: [UInt8]) -> [UInt8] {
    var bytes = [UInt8(family >> 8), UInt8(family & 0xFF)]
    for field in [Array(address.utf8), Array(number.utf8), Array(X11Authority.scheme.utf8), cookie] {
      bytes += [UInt8(field.count >> 8), UInt8(field.count & 0xFF)] + field
    }
    return bytes
  }

  /// Returns the startup messages that are broadcast from now on, each reassembled.
  func messages() async throws -> AsyncStream<String> {
    let (messages, reported) = AsyncStream<String>.makeStream()
    let (watching, ready) = AsyncStream<Void>.makeStream()
    let variables = variables
    Thread.detachNewThread {
      Self.watch(variables, ready, reported)
      ready.finish()
      reported.finish()
    }
    guard await watching.first(where: { true }) != nil else {
      throw TestSupportError("the X server of the test lets nobody in")
    }
    return messages
  }

  private static func watch(
    _ variables: [String: String], _ ready: AsyncStream<Void>.Continuation,
    _ reported: AsyncStream<String>.Continuation
  ) {
    guard let connection = X11Connection({ variables[$0] }, timeout: 0) else { return }
    // ChangeWindowAttributes, which selects the PropertyChange events of the root window.
    var watch = X11Message([2, 0])
    watch.add(UInt16(4))
    watch.add(connection.root, UInt32(1 << 11), UInt32(0x40_0000))
    // The reply to the second request proves that the first is done.
    guard connection.send(watch), let begin = connection.atom("_NET_STARTUP_INFO_BEGIN") else { return }
    ready.yield()
    var texts: [UInt32: [UInt8]] = [:]
    while let event = connection.nextPacket() {
      // A ClientMessage that was sent by a client.
      guard event[0] == 0x80 | 33 else { continue }
      let window = X11Connection.number(event, at: 4, of: UInt32.self)
      if X11Connection.number(event, at: 8, of: UInt32.self) == begin { texts[window] = [] }
      texts[window, default: []] += event[12...]
      guard let text = texts[window], let end = text.firstIndex(of: 0) else { continue }
      reported.yield(String(decoding: text[..<end], as: UTF8.self))
      texts[window] = nil
    }
  }
}
