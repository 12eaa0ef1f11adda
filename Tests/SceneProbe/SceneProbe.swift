import Foundation
import Scenes

/// An application that does what its URLs say and notes it in a file: `probe:ok`, and as below.
///
/// usage: SceneProbe ID LOG [--standard]     with `--standard` it has the standard's interface, and not ours
@main
struct SceneProbe {
  /// What the part of a URL before the first `/` says.
  enum Behaviour: String {
    /// Handled.
    case ok
    /// Not handled.
    case refuse
    /// The handler throws.
    case fail
    /// Killed in the handler, the first time that the request comes.
    case die
    /// Killed in the handler, whenever the request comes.
    case dieAlways = "die-always"
    /// Never done.
    case hang
    /// Handled; opens the same link under the scheme that follows: `one:bounce/two` opens `two:bounce/one`, and so on.
    case bounce
    /// Handled, and the application ends as if a person had closed it.
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
    try await application.run { request, application in
      request.report(0, of: 1)
      let isFirst = log.append("begin \(request.requestID) \(request.urlString)")
      try await bounce(request.urlString, by: application)
      let result = try await carryOut(behaviour(request.urlString), isFirst: isFirst)
      log.append("end \(request.requestID) \(request.urlString)")
      return result
    }
  }

  /// The first part of a URL, which says what to do.
  static func behaviour(_ url: String) -> Behaviour {
    Behaviour(rawValue: String(url.drop { $0 != ":" }.dropFirst().prefix { $0 != "/" })) ?? .refuse
  }

  /// Opens the link of ``Behaviour/bounce``, and notes what stopped it.
  static func bounce(_ url: String, by application: Application) async throws {
    guard behaviour(url) == .bounce else { return }
    let schemes = [url.prefix { $0 != ":" }, url.drop { $0 != "/" }.dropFirst()]
    var options = OpenExternalURLOptions()
    // Whoever gets it opens a link of ours, which waits until we are done with this one.
    options.wait = .accepted
    try await application.open("\(schemes[1]):bounce/\(schemes[0])", options: options)
  }

  /// Closed once: whoever closes it again means that it is to end at once, in the middle of what it does.
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

  /// Adds a line; returns whether it was not there before.
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
