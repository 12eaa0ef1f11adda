// SPDX-License-Identifier: Apache-2.0
import Foundation
import Scenes

/// An application that acts as its URLs say, and records that in a file.
///
/// usage: SceneProbe ID LOG [--standard]
///
/// With `--standard` it has the standard interface instead of Usher's.
@main
struct SceneProbe {
  /// The behaviour, named by the part of a URL before the first `/`, such as `probe:ok`.
  enum Behaviour: String {
    /// Returns `handled`.
    case ok
    /// Returns `notHandled`.
    case refuse
    /// Throws an error.
    case fail
    /// Is killed in the handler, the first time that the request arrives.
    case die
    /// Is killed in the handler, every time that the request arrives.
    case dieAlways = "die-always"
    /// Never returns.
    case hang
    /// Returns `handled`, and opens the link under the next scheme: `one:bounce/two` opens `two:bounce/one`, and so on.
    case bounce
    /// Returns `handled`, and the application exits as if the user had closed it.
    case quit
  }

  struct Failure: Error, CustomStringConvertible {
    let description = "the probe fails"
  }

  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count >= 3 else { throw Failure() }
    let log = ProbeLog(path: arguments[2])
    if arguments.contains("--standard") {
      return try await StandardProbe(id: arguments[1], log: log).run(arguments.dropFirst(4))
    }
    var application = SceneApplication(arguments[1])
    application.arguments = Array(arguments.dropFirst(3))
    await application.main { request, application in
      if let result = NotificationProbe(log: log).handle(request) { return result }
      request.report(0, of: 1)
      let isFirst = log.append("begin \(request.requestID) \(request.urlString)")
      try await bounce(request.urlString, by: application)
      let result = try await carryOut(behaviour(request.urlString), isFirst: isFirst)
      log.append("end \(request.requestID) \(request.urlString)")
      return result
    }
  }

  /// Returns the behaviour that a URL names.
  static func behaviour(_ url: String) -> Behaviour {
    Behaviour(rawValue: String(url.drop { $0 != ":" }.dropFirst().prefix { $0 != "/" })) ?? .refuse
  }

  /// Opens the link of ``Behaviour/bounce``, and records the error that stopped it.
  static func bounce(_ url: String, by application: Application) async throws {
    guard behaviour(url) == .bounce else { return }
    let schemes = [url.prefix { $0 != ":" }, url.drop { $0 != "/" }.dropFirst()]
    var options = OpenExternalURLOptions()
    // The receiver opens a link of this application, which waits until this handler returns.
    options.wait = .accepted
    try await application.open("\(schemes[1]):bounce/\(schemes[0])", options: options)
  }

  /// Closes the application once, because a second signal would terminate it without waiting for its handlers.
  private static let close: Void = { _ = kill(getpid(), SIGTERM) }()

  static func carryOut(_ behaviour: Behaviour, isFirst: Bool) async throws -> SceneResult {
    switch behaviour {
    case .ok, .bounce: return .handled(["probe": .boolean(true)])
    case .refuse: return .notHandled
    case .fail: throw Failure()
    case .die where !isFirst: return .handled
    case .die, .dieAlways: kill(getpid(), SIGKILL)
    case .hang: break
    case .quit:
      close
      return .handled
    }
    try await Task.sleep(for: .seconds(86_400))
    return .notHandled
  }
}

/// A file of lines that several processes write.
struct ProbeLog: Sendable {
  let path: String

  /// Adds a line; returns `false` if it existed before.
  @discardableResult
  func append(_ line: String) -> Bool {
    let before = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    let file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    defer { close(file) }
    let bytes = Array((line + "\n").utf8)
    write(file, bytes, bytes.count)
    return !before.split(separator: "\n").contains { $0 == line }
  }
}
