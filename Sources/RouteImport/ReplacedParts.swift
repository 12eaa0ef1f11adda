// SPDX-License-Identifier: Apache-2.0
/// The parts of a URL that a rewrite of Finicky replaces; the others stay.
struct ReplacedParts: Hashable, Sendable {
  /// The parts that can be replaced, by their names in Finicky.
  static let names = ["protocol", "host", "port", "pathname", "search", "hash"]

  private var texts: [String: String] = [:]

  /// Creates the replacement of these parts; throws the reason for which a route cannot replace them.
  init(_ parts: [(name: String, text: String)]) throws(ImportError) {
    for (name, text) in parts {
      var text = text
      switch name {
      case "protocol": text = text.hasSuffix(":") ? String(text.dropLast()) : text
      case "search" where text.hasPrefix("?"), "hash" where text.hasPrefix("#"): text.removeFirst()
      case "pathname": text = text.hasPrefix("/") ? String(text.dropFirst()) : text
      default: break
      }
      texts[name] = text
    }
    guard ["http", "https"].contains(texts["protocol"] ?? "https") else {
      throw .unsupported("it replaces the protocol with one that is neither http nor https")
    }
    guard texts["port"] == nil || texts["host"] != nil else {
      throw .unsupported("it replaces the port, and a route replaces a host and its port together")
    }
    guard texts["host"]?.isEmpty != true, texts["host"]?.contains(where: { "/?#@".contains($0) }) != true
    else {
      throw .unsupported("the host that it names is none")
    }
  }

  /// The scheme if it is the only part that is replaced, so that links with this scheme stay as they are; `nil` otherwise.
  var onlyProtocol: String? { texts.count == 1 ? texts["protocol"] : nil }

  /// Indicates whether a port of the URL is lost, because another host without a port replaces it.
  var dropsPort: Bool { texts["host"] != nil && texts["port"] == nil }

  /// The template of the route.
  var template: String {
    let scheme = written("protocol") ?? "{@scheme}"
    let host = written("host").map { $0 + port } ?? "{@host}"
    let query = written("search") ?? "{@query}"
    let fragment = written("hash") ?? "{@fragment}"
    return "\(scheme)://\(host)/\(written("pathname") ?? "{@path}")"
      + (query.isEmpty ? "" : "?\(query)") + (fragment.isEmpty ? "" : "#\(fragment)")
  }

  private var port: String { texts["port"].map { $0.isEmpty ? "" : ":\($0)" } ?? "" }

  private func written(_ name: String) -> String? {
    texts[name]?.withDoubledBraces
  }

  /// Returns the URL after the replacement, evaluated as Finicky does: by the parts of its text.
  func applied(to url: String) -> String {
    guard let start = url.firstRange(of: "://") else { return url }
    let authority = url[start.upperBound...].prefix { !"/?#".contains($0) }
    // An address in brackets contains colons.
    let end = authority.first == "[" ? authority.firstIndex(of: "]").map(authority.index(after:)) : nil
    let name = authority[..<(end ?? authority.firstIndex(of: ":") ?? authority.endIndex)]
    let path = url[authority.endIndex...].prefix { !"?#".contains($0) }
    let query = url[path.endIndex...].prefix { $0 != "#" }
    let host = texts["host"] ?? String(name)
    let port = texts["port"] == nil ? String(authority[name.endIndex...]) : port
    return "\(texts["protocol"] ?? String(url[..<start.lowerBound]))://\(host)\(port)"
      + (texts["pathname"].map { "/" + $0 } ?? String(path))
      + (texts["search"].map { $0.isEmpty ? "" : "?" + $0 } ?? String(query))
      + (texts["hash"].map { $0.isEmpty ? "" : "#" + $0 } ?? String(url[query.endIndex...]))
  }
}
