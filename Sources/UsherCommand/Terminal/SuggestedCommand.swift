// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import Freedesktop
import Glibc
import RemoteProtocol

/// A command that is suggested to the user after an error.
struct SuggestedCommand: Hashable {
  /// The command, quoted for a shell.
  let command: String
  /// The purpose of the command.
  let purpose: String

  /// Suggests a command that explains the decision about a URL or file.
  static func explain(_ url: String) -> SuggestedCommand {
    let word = url.utf8.count <= longestURL && url.visible == url ? Shell.word(url) : "URL"
    return SuggestedCommand(
      command: "usher explain \(word)", purpose: "show which application opens it, and why")
  }

  /// Suggests a command that opens a corrected URL.
  static func open(_ url: String) -> SuggestedCommand {
    SuggestedCommand(
      command: Shell.command("usher", "open", url), purpose: "open the URL that was probably meant")
  }

  /// Suggests a command that opens URLs with a corrected application.
  static func open(_ urls: [String], with application: ApplicationID) -> SuggestedCommand {
    let words = (["usher", "open", "--app", application.rawValue] + urls).map(Shell.word)
    return SuggestedCommand(
      command: words.joined(separator: " "), purpose: "open it with the application that was probably meant")
  }

  /// Suggests a command that registers a corrected application.
  static func register(_ application: ApplicationID, for schemes: [URLScheme]) -> SuggestedCommand {
    let words = ["usher", "register", application.rawValue] + schemes.flatMap { ["--scheme", $0.rawValue] }
    return SuggestedCommand(
      command: words.map(Shell.word).joined(separator: " "),
      purpose: "register the application that was probably meant")
  }

  /// Suggests a command that unregisters a scheme.
  static func unregister(_ scheme: URLScheme, isForAllUsers: Bool) -> SuggestedCommand {
    let words =
      ["usher", "unregister"] + (isForAllUsers ? ["--system"] : []) + ["--scheme", scheme.rawValue]
    return SuggestedCommand(
      command: words.joined(separator: " "), purpose: "unregister the scheme of this name")
  }

  static let checkSystem = SuggestedCommand(
    command: "usher routes check --system", purpose: "check the route files of all layers")
  static let handlers = SuggestedCommand(
    command: "usher handlers", purpose: "list the applications by scheme")
  static let history = SuggestedCommand(command: "usher history", purpose: "show the outcome")
  static let doctor = SuggestedCommand(
    command: "usher doctor", purpose: "find problems and the commands that fix them")

  /// The maximum length of a URL in a command; a longer one would hide the command.
  private static let longestURL = 200

  /// Returns the suggestions after an error about `text`, a URL or path; `nil` if it concerned none.
  static func after(_ error: ErrorName, about text: String?) -> [SuggestedCommand] {
    switch BrokerErrorName(error) {
    case .noHandler: likely(text) + (isLink(text) ? [handlers] : existing(text))
    // The message about a prompt that was answered or cannot be shown names its own command.
    case .denied: explained(text)
    case .launchFailed, .loop: explained(text) + [doctor]
    case .notHandled: explained(text)
    // The message already names the application and its error.
    case .targetFailed: []
    case .timeout: [history]
    case .tooMany: [SuggestedCommand(command: "usher monitor", purpose: "show the requests in progress")]
    case .needsBus: [doctor]
    case .invalidURL: likely(text)
    case .cancelled, .invalidRequest: []
    // After an error of the bus the outcome is unknown.
    case nil: [history, doctor]
    }
  }

  private static func isLink(_ text: String?) -> Bool { text.flatMap(URLScheme.init(of:)) != nil }

  private static func explained(_ text: String?) -> [SuggestedCommand] { text.map { [explain($0)] } ?? [] }

  private static func existing(_ path: String?) -> [SuggestedCommand] {
    guard let path, access(path, F_OK) == 0 else { return [] }
    return explained(path)
  }

  private static func likely(_ text: String?) -> [SuggestedCommand] {
    guard let text, text.utf8.count <= longestURL, let url = URLSuggestion(for: text) else { return [] }
    return [open(url.text)]
  }
}
