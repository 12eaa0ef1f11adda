import Freedesktop

/// Schemes that nobody gets, whatever routes and entries say.
enum SchemePolicy {
  /// What a desktop hands on every day, though no application may claim it for itself alone.
  private static let everyday: Set<String> = ["file", "http", "https", "ftp", "mailto", "tel", "sms"]

  /// Why a program is not given an argument of a route that a link has filled in; `nil` where it may be.
  ///
  /// The argument, or what follows its first `=`, is read as browsers read a URL: blanks and controls before the scheme, and
  /// tabs and line ends anywhere, count for nothing (WHATWG URL, 4.4).
  static func refusal(ofArgument text: String) -> Refusal? {
    let parts = [text[...]] + (text.firstIndex(of: "=").map { [text[text.index(after: $0)...]] } ?? [])
    for part in parts {
      let bytes = part.utf8.drop { $0 <= 0x20 }.filter { ![0x09, 0x0A, 0x0D].contains($0) }
      guard let scheme = URLScheme(of: String(decoding: bytes, as: UTF8.self)) else { continue }
      if let refusal = refusal(of: scheme.rawValue) { return refusal }
    }
    return nil
  }

  /// Why URLs of `scheme` are opened by nobody; `nil` where they may be.
  ///
  /// They run code, name what only the program that shows them can reach, or belong to another system.
  static func refusal(of scheme: String) -> Refusal? {
    guard !everyday.contains(scheme), let scheme = URLScheme(scheme), scheme.refusal != nil else {
      return nil
    }
    return .denied(
      reason:
        "\(scheme): links are opened by nobody: what they name is the business of the program that shows"
        + " them, or would run as code in another")
  }
}
