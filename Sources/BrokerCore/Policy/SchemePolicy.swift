import Freedesktop

/// Schemes that nobody gets, whatever routes and entries say.
enum SchemePolicy {
  /// What a desktop hands on every day, though no application may claim it for itself alone.
  private static let everyday: Set<String> = ["file", "http", "https", "ftp", "mailto", "tel", "sms"]

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
