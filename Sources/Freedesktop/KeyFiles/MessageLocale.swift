// SPDX-License-Identifier: Apache-2.0
/// The locale of messages, to which localized keys are matched.
///
/// Desktop Entry Specification, "Localized values for keys".
public struct MessageLocale: Hashable, Sendable {
  /// The names in brackets to search for, best first; empty for the locales C and POSIX.
  public let candidates: [String]

  /// Reads the locale from the first of `LC_ALL`, `LC_MESSAGES` and `LANG` that is set and not empty.
  public init(environment: [String: String]) {
    let name = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
    self.init(name ?? "C")
  }

  /// Parses a locale name, such as `de_AT.UTF-8@euro`; the encoding is ignored.
  public init(_ name: String) {
    let (text, modifier) = Self.split(name, at: "@")
    let (place, _) = Self.split(text, at: ".")
    let (language, country) = Self.split(place, at: "_")
    guard !language.isEmpty, language != "C", language != "POSIX" else {
      candidates = []
      return
    }
    let full = country.map { language + "_" + $0 }
    candidates = [
      modifier.flatMap { modifier in full.map { $0 + "@" + modifier } }, full,
      modifier.map { language + "@" + $0 }, language,
    ].compactMap { $0 }
  }

  private static func split(_ text: String, at mark: Character) -> (String, String?) {
    guard let index = text.firstIndex(of: mark) else { return (text, nil) }
    return (String(text[..<index]), String(text[text.index(after: index)...]))
  }
}
