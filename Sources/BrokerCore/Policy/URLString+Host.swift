public import RouteTables

extension URLString {
  /// What stands between `//` and the path; `nil` where there is none.
  private var authority: Substring.UnicodeScalarView? {
    let rest = text.unicodeScalars.drop { $0 != ":" }.dropFirst()
    guard rest.starts(with: "//".unicodeScalars) else { return nil }
    return Substring(rest.dropFirst(2).prefix { !"/?#".unicodeScalars.contains($0) }).unicodeScalars
  }

  /// The host in lower case, without user information and port; `nil` where there is none.
  public var host: String? {
    guard let authority else { return nil }
    let place =
      authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority[...]
    var host = place
    if place.last != "]", let colon = place.lastIndex(of: ":"),
      place[place.index(after: colon)...].allSatisfy({ ("0"..."9").contains($0) })
    {
      host = place[..<colon]
    }
    return host.isEmpty ? nil : String(host).lowercased()
  }

  /// The path, without query and fragment.
  var path: String {
    var rest = text.unicodeScalars.drop { $0 != ":" }.dropFirst()
    if rest.starts(with: "//".unicodeScalars) {
      rest = rest.dropFirst(2).drop { !"/?#".unicodeScalars.contains($0) }
    }
    return String(rest.prefix { $0 != "?" && $0 != "#" })
  }
}
