import Freedesktop

/// The schemes that are rejected regardless of routes and desktop entries.
enum SchemePolicy {
  /// The common schemes, which may be opened although no application may claim one exclusively.
  private static let everyday: Set<String> = ["file", "http", "https", "ftp", "mailto", "tel", "sms"]

  /// Returns the reason why a route may not pass an argument with captures to a program; `nil` if it may.
  ///
  /// The argument, and the text after its first `=`, are parsed as browsers parse a URL: spaces and control characters
  /// before the scheme are ignored, and tabs and line ends everywhere (WHATWG URL, 4.4).
  static func refusal(ofArgument text: String) -> Refusal? {
    let parts = [text[...]] + (text.firstIndex(of: "=").map { [text[text.index(after: $0)...]] } ?? [])
    for part in parts {
      let bytes = part.utf8.drop { $0 <= 0x20 }.filter { ![0x09, 0x0A, 0x0D].contains($0) }
      guard let scheme = URLScheme(of: String(decoding: bytes, as: UTF8.self)) else { continue }
      if let refusal = refusal(of: scheme.rawValue) { return refusal }
    }
    return nil
  }

  /// Returns the reason why URLs of `scheme` are rejected; `nil` if they are not.
  ///
  /// The rejected schemes run code, name objects inside one program, or belong to another system.
  static func refusal(of scheme: String) -> Refusal? {
    guard !everyday.contains(scheme), let scheme = URLScheme(scheme), scheme.refusal != nil else {
      return nil
    }
    return .denied(
      reason:
        "\(scheme): links are never opened: they address content of the program that shows"
        + " them, or would run as code in another program")
  }
}
