import BusInterfaces
import DBus
import Freedesktop

/// A call of `usher handlers`, whoever read its words.
struct HandlersInvocation: Equatable {
  /// Whether a program is told, by one JSON object.
  var json = false

  /// Lists every scheme, and who opens it.
  func carryOut() {
    let desk = RegistrationService()
    let handlers = desk.registration.handlers()
    var changes = Timestamp.Changes()
    guard !json else {
      let list = Variant.array(of: "a{sv}", handlers.map { .dictionary($0.entries(&changes)) })
      return Console.emit(JSONText.line(["handlers": list]))
    }
    let schemes = Self.column(handlers.map(\.scheme.rawValue))
    let applications = Self.column(handlers.map { $0.application?.rawValue ?? "nobody" })
    Console.say(
      handlers.enumerated().map { index, handler in
        let remarks = handler.remarks(&changes, desk.directories).map { "  " + $0 }.joined()
        let emphasis: StyledText.Emphasis? = handler.application == nil ? .bad : nil
        return "\(schemes[index], as: .heading)  \(applications[index], as: emphasis)\(remarks)"
      })
    if handlers.isEmpty { Console.warn("no application is registered for any scheme") }
  }

  /// The texts, each as wide as the widest.
  private static func column(_ texts: [String]) -> [String] {
    let width = texts.map(\.count).max() ?? 0
    return texts.map { $0 + String(repeating: " ", count: width - $0.count) }
  }
}

extension HandlersInvocation {
  /// Reads the words after the program's name where they are `handlers`, and `--json` if anything; `nil` where they are anything
  /// else, which is the parser's to read, as in `OpenInvocation.init(plain:)`.
  init?(plain words: some Collection<String>) {
    guard words.first == "handlers", words.dropFirst().allSatisfy({ $0 == "--json" }) else { return nil }
    self.init(json: words.count > 1)
  }
}

extension SchemeHandler {
  /// When it was registered, else when the list was changed that decides.
  private func since(_ changes: inout Timestamp.Changes) -> String? {
    moment ?? origin.flatMap { changes.moment(of: $0.path) }
  }

  /// What there is to say of it besides who has it.
  fileprivate func remarks(_ changes: inout Timestamp.Changes, _ directories: BaseDirectories) -> [String] {
    var remarks: [String] = []
    let own = [directories.configHome, directories.dataHome].map { $0 + "/" }
    // What the user's own files say is the common case.
    if let origin, !own.contains(where: origin.path.hasPrefix) { remarks.append("by \(origin)") }
    if let since = since(&changes) { remarks.append("since \(since.prefix(10))") }
    if isThroughUsher { remarks.append("through Usher") }
    if application == nil { remarks.append("what is named for it cannot be used") }
    if !others.isEmpty { remarks.append("could too: " + others.map(\.rawValue).joined(separator: ", ")) }
    if !losers.isEmpty {
      remarks.append("was registered for: " + losers.map(\.rawValue).joined(separator: ", "))
    }
    if !gone.isEmpty { remarks.append("gone: " + gone.map(\.name).joined(separator: ", ")) }
    return remarks
  }

  /// `scheme` s, `application` s where there is one, `through-usher` b, `since` s where known, `others` as,
  /// `taken-from` as: those that were registered, and that another one has taken it from; `gone` as: defaults
  /// that cannot be used any more; `file` s and `line` x of the list that decides.
  fileprivate func entries(_ changes: inout Timestamp.Changes) -> [String: Variant] {
    var entries: [String: Variant] = [
      "scheme": .string(scheme.rawValue), "through-usher": .boolean(isThroughUsher),
      "others": .array(of: "s", others.map { .string($0.rawValue) }),
      "gone": .array(of: "s", gone.map { .string($0.name) }),
      "taken-from": .array(of: "s", losers.map { .string($0.rawValue) }),
    ]
    entries["application"] = application.map { .string($0.rawValue) }
    entries["file"] = origin.map { .string($0.path) }
    entries["line"] = origin.map { .int64(Int64($0.line)) }
    entries["since"] = since(&changes).map { .string($0) }
    return entries
  }
}
