// SPDX-License-Identifier: Apache-2.0
import FileOutput
import Glibc

/// A call of `usher remote register`, which receives the links of a scheme from the desktop to which this machine is connected.
public struct RegistrationCall: Equatable, Sendable {
  /// The scheme.
  public var scheme = ""
  /// A Boolean value that indicates whether the command ends after the first link.
  public var isForOneLink = false
  /// The time in seconds that the user of the desktop has to answer its question.
  public var timeout = RegistrationClient.defaultTimeout
  /// The program and its arguments, to which the URL is added; empty if the URLs are printed.
  public var command: [String] = []

  /// The URL that the desktop opens as soon as the scheme is registered, such as a sign-in page; `nil` for none.
  public var firstURL: String?

  /// The range of ``timeout``.
  public static let timeouts = 0.001...86_400.0

  /// Creates a call with the default options.
  public init() {}

  /// Receives links until the registration ends, and returns the exit status.
  ///
  /// - Parameter variable: Returns the value of an environment variable.
  public func carryOut(_ variable: (String) -> String?) -> Int32 {
    // A link that cannot be printed, because the reader of the output has exited, is an answer for the desktop.
    signal(SIGPIPE, SIG_IGN)
    let paths = RemoteSocket.candidates(variable)
    let client = RegistrationClient(
      for: scheme, timeout: timeout, isForOneLink: isForOneLink, command: command,
      opening: firstURL
    ) {
      Self.warn($0)
    }
    switch client.carryOut(at: paths) {
    case .finished(let status): return status
    case .result(let result):
      Self.warn(result["error"] ?? "the desktop has ended the registration")
      return result["status"].flatMap { Int32($0) } ?? 5
    case .unreachable:
      let tried = paths.isEmpty ? "" : " (tried \(paths.joined(separator: ", ")))"
      Self.warn(
        "no desktop can be reached from here\(tried); connect this machine from there with: usher ssh, or usher remote connect"
      )
      return 69
    case .rejected(let reason):
      Self.warn("the relay on the desktop rejects the registration: \(reason)")
      return 69
    case .lost(let reason):
      Self.warn("\(reason), so that no more links arrive")
      return 5
    }
  }

  private static func warn(_ text: String) {
    _ = "usher: \(text.visibleInOneLine)\n".utf8.writeAll(to: STDERR_FILENO)
  }
}
