public import RouteTables

extension URLString {
  /// The host in lower case, without user information, port and trailing dot; `nil` if there is none.
  public var host: String? { (try? URLAuthority(text))?.host }

  /// The path, without query and fragment.
  var path: String {
    var rest = text.unicodeScalars.drop { $0 != ":" }.dropFirst()
    if rest.starts(with: "//".unicodeScalars) {
      rest = rest.dropFirst(2).drop { !"/?#".unicodeScalars.contains($0) }
    }
    return String(rest.prefix { $0 != "?" && $0 != "#" })
  }
}
