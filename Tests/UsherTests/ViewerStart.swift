import Foundation
import Systemd
import TestSupport

/// A start of the viewer, as the viewer saw it.
struct ViewerStart: Equatable, CustomStringConvertible {
  /// The desktop entry that it was started for.
  var entry: String
  /// Its working directory; `nil` where the entry does not say one.
  var directory: String?
  /// The path by which it was run.
  var program: String
  var arguments: [[UInt8]]

  var description: String {
    "\(entry) \(program) in \(directory ?? "-"): "
      + "\(arguments.map { String(decoding: $0, as: UTF8.self) })"
  }
}

/// A program that tells each of its starts on standard output.
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

  /// The start that came of `gio open` and of all that it started; `nil` when none came.
  func start(byGIO url: String, _ environment: [String: String]) throws -> ViewerStart? {
    // What is said on standard error of thousands of trees is for nobody.
    try start(by: "exec gio open -- \"$0\" 2>/dev/null", url, environment)
  }

  /// The start that came of `usher open`, which gives programs its standard error; `nil` when none came.
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
    // To the end of the pipe: what an opener starts outlives it.
    let bytes = try reading.readToEnd() ?? Data()
    _ = child.exitStatus(by: .now + .seconds(60))
    let words = bytes.dropLast().split(separator: 0, omittingEmptySubsequences: false)
    // Less is what an opener says where it starts nothing.
    guard words.count >= 3 else { return nil }
    let texts = words.prefix(3).map { String(decoding: $0, as: UTF8.self) }
    return ViewerStart(
      entry: texts[0], directory: texts[1], program: texts[2], arguments: words.dropFirst(3).map { Array($0) }
    )
  }

  /// No bus, no settings, no module, no other machine's files.
  private static let alone = [
    "DBUS_SESSION_BUS_ADDRESS": "disabled:", "GIO_USE_VFS": "local", "GIO_MODULE_DIR": "/nonexistent",
    "GSETTINGS_BACKEND": "memory",
  ]
}
