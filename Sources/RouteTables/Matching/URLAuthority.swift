// SPDX-License-Identifier: Apache-2.0
import RegularLanguages

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

  /// The port; `nil` if there is none, or it is the default port of the scheme.
  public var port: UInt16? { parts.authority?.port }

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
  /// The pattern must have the scheme of the URL and match its host, or have no scheme and host. Port and user are not compared.
  public func mayMatch(_ authority: URLAuthority) -> Bool {
    let scheme = authority.text.foldedScheme ?? ""
    guard mayMatch(scheme: scheme) else { return false }
    // The host of a `file:` URL is this machine, whatever its spelling.
    guard self.authority != nil, options.authority == .host, scheme != "file" else { return true }
    // A pattern of a table has variants, so that the error cannot occur.
    guard let variants = try? PatternExpansion.shapes(of: self) else { return true }
    let labels = (authority.parts.authority?.labels ?? []).map { label in
      Normalization.host.decode(label, of: authority.text.utf8.span)
    }
    return variants.contains { variant in
      guard variant.scheme == nil || variant.scheme == scheme else { return false }
      return variant.opening != .host || variant.mayMatch(hostLabels: labels, of: self)
    }
  }
}

extension PatternVariant {
  /// Returns whether the variant matches a host, given by its labels from the left in normal form; an IP address is one label.
  fileprivate func mayMatch(hostLabels: [[UInt8]], of pattern: RoutePattern) -> Bool {
    let additional = hostLabels.count - labels.count
    guard hostRest.map({ additional > 0 || additional == 0 && $0.mayBeEmpty }) ?? (additional == 0) else {
      return false
    }
    return zip(labels.reversed(), hostLabels.reversed()).allSatisfy { part, label in
      if let literal = part.literal { return literal == label }
      guard !label.isEmpty else { return false }
      if let number = part.wholeCapture, part.hostLanguage == nil {
        return pattern.captures[number].type.language.contains(label)
      }
      guard let language = try? pattern.language(of: part, in: .host) else { return true }
      return language.contains(label)
    }
  }
}
