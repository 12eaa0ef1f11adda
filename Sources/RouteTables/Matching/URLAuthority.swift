// SPDX-License-Identifier: Apache-2.0
/// The scheme, user, host and port of a URL, read without its path and query.
///
/// The broker uses it to reject a URL by its host even if the path or query is invalid.
///
/// ```swift
/// try URLAuthority("https://bad.example/%zz").text   // "https://bad.example"
/// try URLAuthority("https:bad.example")              // throws: the host is missing
/// ```
public struct URLAuthority: Sendable {
  /// The URL up to its path; up to and including the colon of the scheme if the URL has no `//`.
  public let text: String
  let parts: ParsedURL

  /// Reads the authority of `url`.
  ///
  /// Throws the error that `RouteTable.match` throws for this authority before any path.
  public init(_ url: String) throws(RouteTableError) {
    let text = Self.prefix(of: url.readableURL)
    parts = try ParsedURL(text.utf8.span)
    self.text = text
  }

  /// The host, percent-decoded, in lower case and without a trailing dot; `nil` if there is none or it is not UTF-8.
  public var host: String? {
    guard let labels = parts.authority?.labels, !labels.isEmpty else { return nil }
    let bytes = text.utf8.span
    var host: [UInt8] = []
    for (number, label) in labels.enumerated() {
      if number > 0 { host.append(UInt8(ascii: ".")) }
      host += Normalization.host.decode(label, of: bytes)
    }
    return String(validating: host, as: UTF8.self)
  }

  private static func prefix(of url: String) -> String {
    let bytes = url.utf8
    guard let colon = bytes.firstIndex(where: { ":/?#".utf8.contains($0) }), bytes[colon] == UInt8(ascii: ":")
    else {
      return url
    }
    let rest = bytes[bytes.index(after: colon)...]
    guard rest.starts(with: "//".utf8) else {
      // Without `//` there is no host, and the schemes whose URLs need one report that as an error.
      return String(Substring(bytes[...colon]))
    }
    let end = rest.dropFirst(2).firstIndex { "/?#".utf8.contains($0) } ?? bytes.endIndex
    return String(Substring(bytes[..<end]))
  }
}

extension RoutePattern {
  /// Returns whether a URL with this authority could match the pattern.
  ///
  /// The pattern must have the scheme of the URL and the literal last labels of its host, or no scheme and host. Port and
  /// user are not compared.
  public func mayMatch(_ authority: URLAuthority) -> Bool {
    guard mayMatch(scheme: authority.text.foldedScheme ?? "") else { return false }
    guard let own = self.authority, options.authority == .host else { return true }
    let labels = authority.parts.authority?.labels ?? []
    for (part, text) in zip(own.labels.reversed(), labels.reversed()) {
      guard let literal = part.literal else { return true }
      guard Normalization.host.equals(text, of: authority.text.utf8.span, literal) else { return false }
    }
    return true
  }
}
