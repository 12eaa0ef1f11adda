// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import RouteTables

extension RouteAction {
  /// Returns the action under its key in route files; `filled` expands its templates.
  func entries(filled: (ActionTemplate) -> String?) -> [String: Variant] {
    switch self {
    case .handler(let name, let requiresConfirmation):
      return requiresConfirmation
        ? ["handler": .string(name), "requires_confirmation": .boolean(true)] : ["handler": .string(name)]
    case .open(let application): return ["open": .string(application)]
    case .browse(let target): return ["open": .dictionary(target.entries)]
    case .perform(let application, let action):
      return ["perform": .dictionary(["application": .string(application), "action": .string(action)])]
    case .exec(let argv): return ["exec": .strings(argv.compactMap(filled))]
    case .rewrite(let template):
      // A template that cannot be expanded is omitted, because the broker rejects or keeps such a URL.
      return ["rewrite": filled(template).map { .string($0) } ?? .boolean(false)]
    case .ask(let applications, let remember):
      var action: [String: Variant] = ["ask": Self.written(applications)]
      if !remember.isEmpty { action["remember"] = .string(remember.map(\.rawValue).joined(separator: "+")) }
      return action
    case .allow: return ["allow": .boolean(true)]
    case .deny(let reason): return ["deny": .string(reason)]
    }
  }

  /// The action as written, under its key in route files, with the query items of `drop`, and `first` b if it is true.
  var writtenEntries: [String: Variant] {
    var entries = entries { $0.text }
    if case .rewrite(let template) = self, !template.dropping.isEmpty {
      entries["drop"] = .strings(template.dropping)
    }
    if case .rewrite(let template) = self, let name = template.unwrapping {
      entries["unwrap"] = .string(name)
    }
    if comesFirst { entries["first"] = .boolean(true) }
    return entries
  }

  /// The action as the end of a sentence about a URL, such as `runs mpv {id}`.
  var sentence: AttributedText {
    switch self {
    case .handler(let name, let requiresConfirmation):
      "calls the handler \(code: name)\(requiresConfirmation ? ", after the user has confirmed it" : "")"
    case .open(let application): "opens with \(code: application)"
    case .browse(let target): "opens in \(code: "\(target)")"
    case .perform(let application, let action): "performs \(code: action) of \(code: application)"
    case .exec(let argv): "runs \(code: argv.map(\.text).joined(separator: " "))"
    case .rewrite(let template) where template.unwrapping != nil:
      "becomes the URL in its query item \(code: template.unwrapping ?? "")"
    case .rewrite(let template) where template.comesFirst && template.dropping.isEmpty: "is kept as it is"
    case .rewrite(let template) where template.dropping.isEmpty: "becomes \(code: template.text)"
    case .rewrite(let template):
      "becomes \(code: template.text) without the items \(code: template.dropping.joined(separator: ", "))"
    case .ask(let applications, let remember):
      """
      \(applications.isEmpty ? "asks the user" : "asks the user to choose: \(code: applications.map(\.description).joined(separator: ", "))")\
      \(remember.isEmpty ? "" : ", and stores the answer for \(code: remember.map(\.rawValue).joined(separator: "+"))")
      """
    case .allow: "is allowed"
    case .deny(let reason): "is rejected: \(code: reason)"
    }
  }
}

extension RouteAction {
  /// Returns the choices as in route files.
  private static func written(_ choices: [Choice]) -> Variant {
    if choices.isEmpty { return .boolean(true) }
    if choices == [.browsers] { return .string("browsers") }
    let names = choices.compactMap { if case .application(let id) = $0 { id } else { nil } }
    guard names.count < choices.count else { return .strings(names) }
    return .array(
      of: "v",
      choices.map { choice in
        switch choice {
        case .application(let id): .variant(.string(id))
        case .browser(let target): .variant(.dictionary(target.entries))
        case .browsers: .variant(.string("browsers"))
        }
      })
  }
}

extension BrowserTarget {
  /// The target under its keys in route files.
  fileprivate var entries: [String: Variant] {
    var entries: [String: Variant] = ["browser": .string(browser)]
    entries["profile"] = profile.map(Variant.string)
    if isPrivate { entries["private"] = .boolean(true) }
    if opensNewWindow { entries["new_window"] = .boolean(true) }
    return entries
  }
}
