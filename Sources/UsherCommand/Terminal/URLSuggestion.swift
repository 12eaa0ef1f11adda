// SPDX-License-Identifier: Apache-2.0
import Freedesktop
import RouteTables

/// A suggestion for a text that is not a URL, or that no application opens.
struct URLSuggestion: Hashable {
  let text: String

  /// Creates a suggestion for a text; `nil` if there is none.
  ///
  /// - Parameter schemes: the known schemes, for one that is mistyped.
  init?(for given: String, knowing schemes: @autoclosure () -> [String] = Self.registered) {
    let trimmed = given.split(whereSeparator: \.isWhitespace).joined(separator: "%20")
    let text = trimmed.replacing("\\", with: "/")
    guard !text.isEmpty, text == given || text.dropFirst().first != ":",
      let likely = Self.withColon(text) ?? Self.withScheme(text) ?? Self.respelt(text, schemes)
        ?? (text == given ? nil : text),
      likely != given, let url = try? URLString(likely)
    else { return nil }
    self.text = url.text
  }

  private static let registered: [String] = RegistrationService().registration.handlers().map(
    \.scheme.rawValue)

  /// Returns a suggestion for a missing colon: `https//example.org`.
  private static func withColon(_ text: String) -> String? {
    guard let slashes = text.firstRange(of: "//"), URLScheme(String(text[..<slashes.lowerBound])) != nil
    else { return nil }
    return text[..<slashes.lowerBound] + ":" + text[slashes.lowerBound...]
  }

  /// Returns a suggestion for a missing scheme: `example.org/page`, `localhost:8080`, `ada@example.org`.
  private static func withScheme(_ text: String) -> String? {
    let authority = text.prefix { !"/?#".contains($0) }
    let parts = authority.split(separator: "@", omittingEmptySubsequences: false)
    guard parts.count <= 2, let place = parts.last else { return nil }
    let pieces = place.split(separator: ":", omittingEmptySubsequences: false)
    guard let host = pieces.first, pieces.count <= 2, pieces.count == 1 || UInt16(pieces[1]) != nil else {
      return nil
    }
    guard parts.count == 1 else {
      return isDomain(host) && authority == text && !parts[0].isEmpty ? "mailto:" + text : nil
    }
    if host == "localhost" { return "http://" + text }
    return isDomain(host) ? "https://" + text : nil
  }

  /// Returns `true` for several labels of which the last consists of letters and is no common file extension.
  private static func isDomain(_ host: Substring) -> Bool {
    let labels = host.split(separator: ".", omittingEmptySubsequences: false)
    guard labels.count > 1, let top = labels.last, top.utf8.count >= 2, top.allSatisfy(\.isLetter) else {
      return false
    }
    let endings = [
      "txt", "md", "html", "htm", "pdf", "png", "jpg", "jpeg", "desktop", "toml", "json", "log", "odt",
    ]
    return !endings.contains(top.lowercased())
      && labels.allSatisfy { label in
        !label.isEmpty && label.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" }
      }
  }

  /// Returns a suggestion for a mistyped scheme: `htps://example.org`.
  private static func respelt(_ text: String, _ schemes: () -> [String]) -> String? {
    guard let colon = text.firstIndex(of: ":") else { return nil }
    let scheme = text[..<colon].lowercased()
    guard let nearest = Nearest.word(to: scheme, among: ["http", "https", "mailto", "file"] + schemes())
    else { return nil }
    return nearest + text[colon...]
  }
}
