import HostNames

/// A web page's origin (RFC 6454): scheme, host and port, as `https://example.org`.
///
/// Written in one way: lower case, with the host in ASCII, without user information and without the port that goes without saying.
public struct WebOrigin: Hashable, Sendable, CustomStringConvertible {
  /// As browsers write it.
  public let text: String

  /// What browsers say where an origin must not be told: of a frame that is kept apart, for one.
  ///
  /// It is no one in particular, so no answer is kept for it.
  public static let opaque = WebOrigin(known: "null")

  private init(known text: String) { self.text = text }

  /// The origin in what a caller names as where a link stood; `nil` where that is not on the web.
  ///
  /// A whole address will do; its path, which may hold a secret, is left out.
  public init?(_ text: String) {
    let text = text.lowercased()
    guard text != "null" else {
      self = .opaque
      return
    }
    guard let scheme = ["http", "https"].first(where: { text.hasPrefix("\($0):") }) else { return nil }
    let rest = text.unicodeScalars.dropFirst(scheme.utf8.count + 1).drop { $0 == "/" || $0 == "\\" }
    let authority = rest.prefix { !"/?#\\".unicodeScalars.contains($0) }
    var host = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
    let port = scheme == "http" ? ":80" : ":443"
    if String(host).hasSuffix(port) { host = host.dropLast(port.utf8.count) }
    // A host that is missing or that has no ASCII form names no page in particular.
    guard !host.isEmpty, let origin = try? HostName.mappingHost(of: "\(scheme)://\(String(host))") else {
      self = .opaque
      return
    }
    self.text = origin
  }

  /// As browsers write it.
  public var description: String { text }
}
