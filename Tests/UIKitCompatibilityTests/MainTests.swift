// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import Foundation
import TestSupport
import Testing

/// Samples as programs on a real bus, which `@main` on the delegate's class starts.
@Suite struct `The main class of a UIKit program` {
  private func install(_ sample: String, in desktop: ThrowAwayDesktop, information: String?) throws -> String
  {
    let program = "\(desktop.root)/program/\(sample)"
    try FileManager.default.createDirectory(
      atPath: "\(desktop.root)/program", withIntermediateDirectories: true)
    try FileManager.default.copyProgram(atPath: "\(BuiltProducts.directory)/\(sample)", toPath: program)
    if let information { try desktop.write(information, to: "\(desktop.root)/program/Info.plist") }
    return program
  }

  private static let information = """
    <?xml version="1.0" encoding="UTF-8"?>
    <plist version="1.0"><dict><key>CFBundleIdentifier</key><string>org.example.Photos</string></dict></plist>
    """

  /// Without the class of its scenes, the second sample would open no link.
  @Test(arguments: ["UIKitURLScheme", "UIKitURLSchemeByScenes"])
  func `runs with the ID of its Info.plist`(sample: String) async throws {
    try await ThrowAwayDesktop.withBus { desktop, bus in
      let path = try install(sample, in: desktop, information: Self.information)
      let connection = try await BusConnection.open(.address(bus.address))
      let owners = try await connection.owners(of: "org.example.Photos")
      let program = try await RunningProgram.start(path, environment: desktop.environment)
      _ = try await withDeadline(Command.defaultDeadline, "the name") { await owners.first { $0 != nil } }
      let photos = RemoteObject("org.example.Photos", "/org/example/Photos")
      try await connection.call(ApplicationInterface.open, at: photos, ["myphotoapp:Vacation?index=1"], [:])
      program.terminate()
      #expect(await program.waitUntilExit().status == 0)
      await connection.close()
    }
  }

  @Test func `without an ID says where to write it`() async throws {
    try await ThrowAwayDesktop.withBus { desktop, _ in
      let path = try install("UIKitURLScheme", in: desktop, information: nil)
      let run = try await Command.run(path, [], environment: desktop.environment)
      #expect(run.status == 64, "\(run)")
      #expect(
        run.errorOutput.contains("write CFBundleIdentifier into \(desktop.root)/program/Info.plist"), "\(run)"
      )
    }
  }
}
