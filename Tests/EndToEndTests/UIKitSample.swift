// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport

/// A sample of `Examples/UIKit`, installed as an application that reports lines to its test.
struct UIKitSample {
  /// The application's ID.
  let id: String
  /// The built product, such as `UIKitTokenForwarding`.
  let product: String
  /// The name of the installed program.
  let name: String

  private func program(on desk: InstalledDesktop) -> String { "\(desk.desktop.bin)/\(name)" }

  /// Installs the sample, and returns the pipe with its lines.
  func install(on desk: InstalledDesktop) async throws -> ReportPipe {
    let pipe = try await ReportPipe(id, in: desk.desktop)
    let program = program(on: desk)
    try FileManager.default.copyProgram(atPath: "\(BuiltProducts.directory)/\(product)", toPath: program)
    try desk.desktop.write(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0"><dict>
        <key>CFBundleIdentifier</key><string>\(id)</string>
      </dict></plist>
      """, to: "\(desk.desktop.bin)/Info.plist")
    let script = try desk.desktop.installScript(
      "\(name)-app", "#!/bin/sh\nexec '\(program)' \"$@\" 1<>'\(pipe.path)'\n")
    try desk.desktop.installDesktopEntry(id, exec: script, lines: ["Implements=org.usher.Application1;"])
    return pipe
  }

  /// Ends the running instances.
  func end(on desk: InstalledDesktop) async throws {
    for process in desk.processes(of: program(on: desk)) { try await desk.end(process) }
  }
}
