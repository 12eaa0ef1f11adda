// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import Foundation
import ScenesTesting
import TestSupport
import Testing

@testable import Scenes

@Suite struct `Arguments of an application` {
  @Test(arguments: [
    (["notes://a", "https://example.org/?a=b#c"], ["notes://a", "https://example.org/?a=b#c"]),
    (["/tmp/a b.txt", "/tmp/ü%#?.txt"], ["file:///tmp/a%20b.txt", "file:///tmp/%C3%BC%25%23%3F.txt"]),
    (["--verbose", "-n", "/tmp/a"], ["file:///tmp/a"]),
    (["new-window", "--", "/tmp/-a", "--", "-b"], ["file:///tmp/-a", "file:///--", "file:///-b"]),
    (["", "no-such-file"], []),
    (["--", "etc/passwd", "a:b"], ["file:///etc/passwd", "a:b"]),
    (["etc", "./new", "../up"], ["file:///etc", "file:///./new", "file:///../up"]),
  ])
  func `are URLs, documents or the application's own`(_ arguments: [String], _ urls: [String]) {
    #expect(LaunchArguments(arguments, in: Array("/".utf8)).urls == urls)
  }

  @Test func `that are paths may be changed in place`() async throws {
    let (log, app) = application()
    try await app.launch(arguments: ["/tmp/a.txt", "/tmp/b.txt"])
    #expect(try await log.next() == #"["file:///tmp/a.txt", "file:///tmp/b.txt"] true"#)
    let (other, mixed) = application()
    try await mixed.launch(arguments: ["/tmp/a.txt", "notes://b"])
    #expect(try await other.next() == #"["file:///tmp/a.txt", "notes://b"] false"#)
  }

  private func application() -> (Log, TestApplication) {
    let log = Log()
    return (
      log,
      TestApplication {
        log.add("\($0.urlStrings) \($0.openInPlace)")
        return .handled
      }
    )
  }

  /// GIO passes the path of a local file for `%U`.
  @Test func `arrive from gio launch, cold and warm`() async throws {
    try await ThrowAwayDesktop.withBus { desktop, _ in
      let entry = try desktop.installDesktopEntry("org.example.Notes", exec: "\(BuiltProducts.notes) %U")
      let (first, second) = ("\(desktop.root)/a b.txt", "\(desktop.root)/c.txt")
      for path in [first, second] { try desktop.write("", to: path) }
      // The shell outlives `gio`, so that the output of the application is read.
      let program = try await RunningProgram.start(
        "sh", ["-c", "gio launch \"$0\" \"$1\"; cat", entry, first], environment: desktop.environment)
      let cold = try PropertyList(json: try await program.line { $0.hasPrefix("{") })
      #expect(cold["urls"] == [.string("file://\(desktop.root)/a%20b.txt")])
      #expect(cold["delivery"] == "launch")
      let launcher = try await RunningProgram.start(
        "gio", ["launch", entry, second], environment: desktop.environment)
      let warm = try PropertyList(json: try await program.line { $0.hasPrefix("{") })
      #expect(warm["urls"] == [.string("file://\(desktop.root)/c.txt")])
      #expect(warm["delivery"] == "running")
      _ = await launcher.waitUntilExit()
      program.kill()
      _ = await program.waitUntilExit()
    }
  }
}
