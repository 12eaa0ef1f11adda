// SPDX-License-Identifier: Apache-2.0
import Foundation
import Systemd
import TestSupport

/// A start of the viewer, as the viewer observed it.
struct ViewerStart: Equatable, CustomStringConvertible {
  /// The desktop entry for which it was started.
  var entry: String
  /// The working directory; `nil` if the entry does not define one.
  var directory: String?
  /// The path with which it was executed.
  var program: String
  var arguments: [[UInt8]]

  var description: String {
    "\(entry) \(program) in \(directory ?? "-"): "
      + "\(arguments.map { String(decoding: $0, as: UTF8.self) })"
  }
}

/// A program that reports each of its starts on standard output.
struct RecordingViewer {
  let path: String
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
    path = try directory.write(
      "#!/bin/sh\ncd -P .\nprintf '%s\\0' \"$GIO_LAUNCHED_DESKTOP_FILE\" \"$PWD\" \"$0\" \"$@\"\n",
      to: "viewer",
      permissions: 0o755)
  }

  /// Returns the start that `gio open` or one of its children caused; `nil` if there was none.
  func start(byGIO url: String, _ environment: [String: String]) throws -> ViewerStart? {
    // Standard error is dropped, because thousands of trees cause many messages.
    try start(by: "exec gio open -- \"$0\" 2>/dev/null", url, environment)
  }

  /// Returns the start that `usher open` caused, whose programs inherit its standard error; `nil` if there was none.
  func start(byUsher url: String, _ environment: [String: String]) throws -> ViewerStart? {
    try start(by: "exec '\(BuiltProducts.usher)' open -- \"$0\" 2>&1 >/dev/null", url, environment)
  }

  private func start(
    by line: String, _ url: String, _ environment: [String: String]
  ) throws -> ViewerStart? {
    try Self.start(
      by: ProcessConfiguration(
        executable: "/bin/sh", arguments: ["sh", "-c", line, url],
        environment: environment.merging(Self.alone) { $1 }, workingDirectory: "/"))
  }

  static func start(by program: ProcessConfiguration) throws -> ViewerStart? {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw TestSupportError("no pipe: errno \(errno)") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    var program = program
    program.output = ends[1]
    let reading = FileHandle(fileDescriptor: ends[0], closeOnDealloc: true)
    let spawned = Result { () throws(SystemdError) in try SpawnedProcess(program) }
    close(ends[1])
    let child = try spawned.get()
    // Read to the end of the pipe, because the started program outlives its opener.
    let bytes = try reading.readToEnd() ?? Data()
    _ = child.exitStatus(by: .now + .seconds(60))
    let words = bytes.dropLast().split(separator: 0, omittingEmptySubsequences: false)
    // Fewer words are the message of an opener that starts no program.
    guard words.count >= 3 else { return nil }
    let texts = words.prefix(3).map { String(decoding: $0, as: UTF8.self) }
    return ViewerStart(
      entry: texts[0], directory: texts[1], program: texts[2], arguments: words.dropFirst(3).map { Array($0) }
    )
  }

  /// An environment without bus, settings, modules and files of the machine.
  private static let alone = [
    "DBUS_SESSION_BUS_ADDRESS": "disabled:", "GIO_USE_VFS": "local", "GIO_MODULE_DIR": "/nonexistent",
    "GSETTINGS_BACKEND": "memory",
  ]
}
