// SPDX-License-Identifier: Apache-2.0
internal import RegularLanguages
public import RouteTables

/// Parses patterns, and checks that printed patterns parse to equal ones.
public enum PatternCheck {
  /// The types of the table.
  public static let types: [RouteType] = {
    let languages = [("sku", "[A-Z]{2}-[0-9]{4,8}"), ("yt", "[A-Za-z0-9_-]{11}"), ("aba", "(a|b)*a(a|b){3}")]
    return languages.compactMap { name, text in
      (try? RegularLanguage(text)).map { RouteType(name, language: $0) }
    }
  }()

  /// The options, one bit for each.
  public static func options(_ byte: UInt8) -> RouteOptions {
    RouteOptions(
      ignoresCase: byte & 1 != 0, ignoresTrailingSlash: byte & 2 != 0,
      plus: byte & 4 != 0 ? .literal : .automatic,
      authority: byte & 8 != 0 ? .segment : .host)
  }

  /// Returns the pattern, or `nil` if the text is not a pattern; the printed pattern must parse to an equal one.
  public static func read(_ text: String, _ options: RouteOptions) -> RoutePattern? {
    let pattern: RoutePattern
    do {
      pattern = try RoutePattern(text, types: types, options: options)
    } catch {
      promise(!error.description.isEmpty, "an error says something")
      return nil
    }
    do {
      let again = try RoutePattern(pattern.description, types: types, options: options)
      promise(again == pattern, "\(text) prints as \(pattern), which reads as \(again)")
      promise(again.description == pattern.description, "\(pattern) prints as \(again)")
    } catch {
      promise(false, "\(text) prints as \(pattern), which is refused: \(error)")
    }
    return pattern
  }
}
