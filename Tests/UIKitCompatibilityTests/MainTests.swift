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

  /// Runs a sample, calls it, and returns its result after it was terminated.
  private func run(
    _ sample: String, information: String,
    _ call: @escaping @Sendable (BusConnection, RemoteObject) async throws -> Void
  ) async throws -> CommandResult {
    try await ThrowAwayDesktop.withBus { desktop, bus in
      let path = try install(sample, in: desktop, information: information)
      let connection = try await BusConnection.open(.address(bus.address))
      let owners = try await connection.owners(of: "org.example.Photos")
      let program = try await RunningProgram.start(path, environment: desktop.environment)
      _ = try await withDeadline(Command.defaultDeadline, "the name") { await owners.first { $0 != nil } }
      try await call(connection, RemoteObject("org.example.Photos", "/org/example/Photos"))
      program.terminate()
      let result = await program.waitUntilExit()
      await connection.close()
      return result
    }
  }

  /// Without the class of its scenes, the second sample would open no link.
  @Test(arguments: ["UIKitURLScheme", "UIKitURLSchemeByScenes"])
  func `runs with the ID of its Info.plist`(sample: String) async throws {
    let result = try await run(sample, information: Self.information) { connection, photos in
      try await connection.call(ApplicationInterface.open, at: photos, ["myphotoapp:Vacation?index=1"], [:])
    }
    #expect(result.status == 0, "\(result)")
  }

  /// Without scenes, the sample would perform no action: its delegate selects the class of the scene.
  @Test(arguments: [
    ("UIKitQuickActions.Missing", "there is no class UIKitQuickActions.Missing"),
    (
      "$(PRODUCT_MODULE_NAME).AppDelegate", "UIKitQuickActions.AppDelegate is never the delegate of a scene"
    ),
  ])
  func `has scenes if its Info.plist has a scene manifest, and warns about its class`(
    name: String, warning: String
  ) async throws {
    let manifest = """
      <key>UIApplicationSceneManifest</key><dict><key>UISceneConfigurations</key><dict>
      <key>UIWindowSceneSessionRoleApplication</key><array><dict>
      <key>UISceneDelegateClassName</key><string>\(name)</string></dict></array></dict></dict></dict></plist>
      """
    let information = Self.information.replacing("</dict></plist>", with: manifest)
    let result = try await run("UIKitQuickActions", information: information) { connection, photos in
      try await connection.call(ApplicationInterface.activateAction, at: photos, "search", [], [:])
    }
    #expect(result.status == 0 && result.errorOutput.contains(warning), "\(result)")
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
