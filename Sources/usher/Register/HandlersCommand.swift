import ArgumentParser
import BusInterfaces
import DBus
import Freedesktop
import Launching

/// `usher handlers`: every scheme, and who opens it.
struct HandlersCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "handlers",
    abstract: "Lists the schemes of this desktop, and which application opens each.",
    discussion: "“usher explain URL” says why.")

  @Flag(help: "Print one JSON object.")
  var json = false

  func run() {
    let environment = LaunchEnvironment.current()
    let registration = Registration(
      directories: BaseDirectories(environment: environment),
      programs: ProgramSearch(path: environment["PATH"]))
    let handlers = registration.handlers()
    guard !json else {
      let list = Variant.array(of: "a{sv}", handlers.map { .dictionary($0.entries) })
      return Console.emit(JSONText.line(["handlers": list]))
    }
    let width = handlers.map(\.scheme.rawValue.count).max() ?? 0
    for handler in handlers {
      let scheme = handler.scheme.rawValue
      let padding = String(repeating: " ", count: width - scheme.count)
      let way = handler.isThroughUsher ? "  (through Usher)" : ""
      Console.say(
        "\(scheme)\(padding)  \(handler.application?.rawValue ?? "nobody: what is named cannot be used")\(way)"
      )
    }
    if handlers.isEmpty { Console.warn("no application is registered for any scheme") }
  }
}

extension SchemeHandler {
  /// `scheme` s, `application` s where there is one, `through-usher` b.
  fileprivate var entries: [String: Variant] {
    var entries: [String: Variant] = [
      "scheme": .string(scheme.rawValue), "through-usher": .boolean(isThroughUsher),
    ]
    entries["application"] = application.map { .string($0.rawValue) }
    return entries
  }
}
