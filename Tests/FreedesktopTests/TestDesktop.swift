// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport

@testable import Freedesktop

/// A temporary home and system on disk, with its own environment.
final class TestDesktop: Sendable {
  let root: String
  let desktops: String

  init(desktops: String = "") throws {
    self.desktops = desktops
    let base = FileManager.default.temporaryDirectory.appendingPathComponent("usher-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: base, withIntermediateDirectories: true)
    root = base.resolvingSymlinksInPath().path
    try write("bin/viewer", "#!/bin/sh\n", mode: 0o755)
    try FileManager.default.createDirectory(atPath: root + "/home", withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: root) }

  var environment: [String: String] {
    [
      "HOME": root + "/home", "PATH": root + "/bin:/usr/bin:/bin", "LC_ALL": "C.UTF-8",
      "XDG_DATA_DIRS": root + "/sys1:" + root + "/sys2", "XDG_CONFIG_DIRS": root + "/etc",
      "XDG_CURRENT_DESKTOP": desktops,
    ]
  }

  var directories: BaseDirectories { BaseDirectories(environment: environment) }
  var programs: ProgramSearch { ProgramSearch(path: environment["PATH"]) }
  var resolver: ApplicationResolver { ApplicationResolver(directories: directories, programs: programs) }
  var registration: Registration { Registration(directories: directories, programs: programs) }

  /// Paths relative to the root.
  static let userLists = "home/.config"
  static let userApplications = "home/.local/share/applications"
  static let systemApplications = "sys1/applications"

  func path(_ relative: String) -> String { root + "/" + relative }

  func write(_ relative: String, _ content: String, mode: Int = 0o644) throws {
    try write(relative, Array(content.utf8), mode: mode)
  }

  func write(_ relative: String, _ content: [UInt8], mode: Int = 0o644) throws {
    let url = URL(fileURLWithPath: path(relative))
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(content).write(to: url)
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: url.path)
  }

  /// Writes an entry that runs the viewer of this desktop.
  func writeEntry(_ relative: String, _ extra: String = "", exec: String = "viewer %u") throws {
    try write(relative, "[Desktop Entry]\nType=Application\nName=Viewer\nExec=\(exec)\n" + extra)
  }

  func link(_ relative: String, to target: String) throws {
    try FileManager.default.createDirectory(
      at: URL(fileURLWithPath: path(relative)).deletingLastPathComponent(), withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(atPath: path(relative), withDestinationPath: target)
  }

  func text(_ relative: String) -> String? {
    FileManager.default.contents(atPath: path(relative)).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Returns every file below the root with its content, for comparisons.
  func snapshot() throws -> [String: String] {
    var files: [String: String] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: root) {
      files[name] = text(name) ?? "directory"
    }
    return files
  }

  /// Runs a real program in this desktop.
  @discardableResult
  func run(_ program: String, _ arguments: String...) throws -> (status: Int32?, output: String) {
    let result = try Command.runSynchronously(program, arguments, environment: environment)
    return (result.status, result.output + result.errorOutput)
  }

  /// Returns the output of `gio mime` for a scheme: the default, and the registered applications in order.
  func gio(_ scheme: String) throws -> (default: String?, registered: [String]) {
    let output = try run("/usr/bin/gio", "mime", "x-scheme-handler/\(scheme)").output
    let lines = output.split(separator: "\n").map(String.init)
    let chosen = lines.first { $0.hasPrefix("Default application for") }
    let start = lines.firstIndex(of: "Registered applications:") ?? lines.endIndex
    let registered = lines[start...].dropFirst().prefix { $0.hasPrefix("\t") }.map { String($0.dropFirst()) }
    return (chosen.flatMap { $0.components(separatedBy: ": ").last }, Array(registered))
  }
}

extension KeyFile {
  init(_ text: String) { self.init(bytes: Array(text.utf8)) }
  var text: String { String(decoding: bytes, as: UTF8.self) }
}
