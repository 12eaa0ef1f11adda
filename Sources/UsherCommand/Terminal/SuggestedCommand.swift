import BusInterfaces
import DBus
import Freedesktop
import Glibc

/// A command that a person may type next, after something went wrong.
struct SuggestedCommand: Hashable {
  /// The command, as it is typed.
  let command: String
  /// What it tells or does.
  let purpose: String

  /// Says why this URL, or file, goes where it goes.
  static func explain(_ url: String) -> SuggestedCommand {
    let word = url.utf8.count <= longestURL && Console.visible(url) == url ? Shell.word(url) : "URL"
    return SuggestedCommand(
      command: "usher explain \(word)", purpose: "says which application opens it, and why")
  }

  /// Opens what was probably meant.
  static func open(_ url: String) -> SuggestedCommand {
    SuggestedCommand(command: Shell.command("usher", "open", url), purpose: "opens what was probably meant")
  }

  /// Opens URLs with the application that was probably meant.
  static func open(_ urls: [String], with application: ApplicationID) -> SuggestedCommand {
    let words = (["usher", "open", "--app", application.rawValue] + urls).map(Shell.word)
    return SuggestedCommand(
      command: words.joined(separator: " "), purpose: "opens it with what was probably meant")
  }

  /// Registers the application that was probably meant.
  static func register(_ application: ApplicationID, for schemes: [URLScheme]) -> SuggestedCommand {
    let words = ["usher", "register", application.rawValue] + schemes.flatMap { ["--scheme", $0.rawValue] }
    return SuggestedCommand(
      command: words.map(Shell.word).joined(separator: " "), purpose: "registers what was probably meant")
  }

  static let checkSystem = SuggestedCommand(
    command: "usher routes check --system", purpose: "checks the route files of all layers")
  static let handlers = SuggestedCommand(command: "usher handlers", purpose: "lists what opens which links")
  static let history = SuggestedCommand(command: "usher history", purpose: "tells what became of it")
  static let doctor = SuggestedCommand(
    command: "usher doctor", purpose: "says what is wrong here and what mends it")

  /// A URL that is longer would hide the command.
  private static let longestURL = 200

  /// What helps after this error about `text`, a URL or the path of a file, where it was about one.
  static func after(_ error: ErrorName, about text: String?) -> [SuggestedCommand] {
    switch BrokerErrorName(error) {
    case .noHandler: likely(text) + (isLink(text) ? [handlers] : existing(text))
    // The message of a question that was answered or cannot be asked names its own command.
    case .denied: explained(text)
    case .launchFailed, .loop: explained(text) + [doctor]
    case .notHandled: explained(text)
    // Who has it, and what went wrong there, has been said.
    case .targetFailed: []
    case .timeout: [history]
    case .tooMany: [SuggestedCommand(command: "usher monitor", purpose: "shows what is under way")]
    case .needsBus: [doctor]
    case .invalidURL: likely(text)
    case .cancelled, .invalidRequest: []
    // The bus's own: nobody may know what became of it.
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
