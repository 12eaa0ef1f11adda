// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import Freedesktop

/// A scheme whose links the portal opens with another application than the desktop's default, because of a stored choice.
struct PortalOverride: Hashable {
  let scheme: URLScheme
  let choice: PortalChoice
  /// The desktop-file ID of the default; `nil` if there is none.
  let application: String?

  /// Returns the overrides among `choices`, sorted by scheme and caller.
  static func among(_ choices: PortalChoices, at desk: RegistrationService) -> [PortalOverride] {
    guard !choices.all.isEmpty else { return [] }
    let resolver = ApplicationResolver(directories: desk.directories, programs: desk.programs)
    let prefix = "x-scheme-handler/"
    return Dictionary(grouping: choices.all, by: \.type).sorted { $0.key < $1.key }.flatMap {
      type, choices -> [PortalOverride] in
      guard type.hasPrefix(prefix), let scheme = URLScheme(String(type.dropFirst(prefix.count))) else {
        return []
      }
      let desktop = PortalCandidates(resolver.resolve(scheme), catalog: resolver.catalog)
      return desktop.overriding(choices).map {
        PortalOverride(scheme: scheme, choice: $0, application: desktop.application)
      }
    }
  }

  /// The override as a sentence: the callers, the application and the default that it precedes.
  var sentence: String {
    let instead = application.map { "the default \($0)" } ?? "asking the user"
    let count = choice.count == 1 ? "once" : "\(choice.count) times"
    return
      "links of \(choice.callers) are opened with \(choice.application), which the user chose \(count) in the portal's "
      + "chooser, instead of \(instead): for programs that use the portal, such as sandboxed ones, its permission store "
      + "precedes mimeapps.list"
  }

  /// The override as a remark beside the default.
  var remark: String { "portal: \(choice.application) for \(choice.callers)" }

  /// The keys for JSON: those of the choice, and `scheme` s.
  var entries: [String: Variant] { choice.entries.merging(["scheme": .string(scheme.rawValue)]) { $1 } }
}
