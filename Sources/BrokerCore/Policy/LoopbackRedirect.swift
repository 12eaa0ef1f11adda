// SPDX-License-Identifier: Apache-2.0
import HostNames
import PercentEncoding
public import RemoteProtocol
public import RouteTables

/// The redirect of an authorization request to a program that waits at a port of its own machine (RFC 8252, section 7.3).
///
/// A program signs in by opening the request in a browser, which passes the answer of the site to this port. For a request of another machine,
/// the program waits there, and the browser runs here.
public struct LoopbackRedirect: Hashable, Sendable {
  /// The origin of the site at which the user signs in, such as `https://accounts.example`.
  public let site: String
  /// The name of the program at the site (`client_id`).
  public let client: String
  /// The host of the redirect.
  public let host: LoopbackHost
  /// The port of the redirect.
  public let port: UInt16
  /// The path of the redirect, as the browser requests it.
  public let path: String
  /// The text by which the program recognizes the answer (`state`).
  public let state: String
}

extension LoopbackRedirect {
  /// The result of reading a URL.
  public enum Reading: Hashable, Sendable {
    /// The URL names no redirect to the loopback interface.
    case absent
    /// The URL names this redirect.
    case redirect(LoopbackRedirect)
    /// The URL names a redirect to the loopback interface whose answer is not carried; the sentence gives the reason.
    case refused(reason: String)

    /// Reads a URL.
    ///
    /// A redirect that some programs read in the URL and others do not is refused: one that is percent-encoded several times, inside
    /// another parameter or outside the query, or given more than once.
    public init(_ url: URLString) {
      guard url.scheme == "http" || url.scheme == "https" else {
        self = .absent
        return
      }
      let query = AuthorizationQuery(url.text)
      let redirects = query.values(of: "redirect_uri")
      let counts = LoopbackRedirect.counts(in: url.text)
      guard counts.contains(where: { $0 > 0 }) || redirects.contains(where: LoopbackRedirect.isLoopback)
      else {
        self = .absent
        return
      }
      do throws(Obstacle) {
        guard redirects.count <= 1 else { throw Obstacle("it gives redirect_uri more than once") }
        guard let text = redirects.first, counts.allSatisfy({ $0 <= 1 }) else {
          throw Obstacle("it hides the redirect_uri in another part of the link")
        }
        self = .redirect(try LoopbackRedirect(query, to: text, of: url))
      } catch {
        self = .refused(reason: "the sign-in for a program of the other machine is refused: \(error.reason)")
      }
    }
  }

  /// The reason why a redirect is not carried.
  fileprivate struct Obstacle: Error {
    let reason: String
    init(_ reason: String) { self.reason = reason }
  }

  fileprivate init(_ query: AuthorizationQuery, to text: String, of url: URLString) throws(Obstacle) {
    guard let address = RedirectAddress(text) else {
      throw Obstacle(
        "its redirect_uri must be http://127.0.0.1:PORT/…, http://[::1]:PORT/… or http://localhost:PORT/…")
    }
    guard address.port >= CarriedRequest.lowestPort else {
      throw Obstacle(
        "the port \(address.port) belongs to a service of the system; use one from \(CarriedRequest.lowestPort)"
      )
    }
    for (name, value) in [("response_mode", "query"), ("response_type", "code")] {
      let values = query.values(of: name)
      guard values.isEmpty || values == [value] else {
        throw Obstacle("\(name) must be \(value), so that the answer is one request of the browser")
      }
    }
    guard let site = WebOrigin(url.text), site != .opaque else { throw Obstacle("its site is unclear") }
    (self.site, host, port, path) = (site.text, address.host, address.port, address.path)
    client = try Self.single("client_id", of: query)
    state = try Self.single("state", of: query)
  }

  /// Returns the only value of a parameter, which must be a short text.
  private static func single(_ name: String, of query: AuthorizationQuery) throws(Obstacle) -> String {
    let values = query.values(of: name)
    guard values.count == 1, !values[0].isEmpty, values[0].utf8.count <= 2_048,
      values[0].unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
    else {
      throw Obstacle("it needs exactly one \(name), of at most 2048 bytes without control characters")
    }
    return values[0]
  }
}

/// The parameters of a query, decoded as `application/x-www-form-urlencoded` (RFC 6749, appendix B).
private struct AuthorizationQuery {
  private let parameters: [(name: String, value: String)]

  init(_ url: String) {
    let query = url.utf8.prefix { $0 != UInt8(ascii: "#") }.drop { $0 != UInt8(ascii: "?") }.dropFirst()
    parameters = query.split(separator: UInt8(ascii: "&")).map { parameter in
      let end = parameter.firstIndex(of: UInt8(ascii: "=")) ?? parameter.endIndex
      return (Self.decoded(parameter[..<end]), Self.decoded(parameter[end...].dropFirst()))
    }
  }

  func values(of name: String) -> [String] { parameters.filter { $0.name == name }.map(\.value) }

  private static func decoded(_ text: Substring.UTF8View) -> String {
    let bytes = PercentEncoding.bytes(of: text, keepsMalformed: true, isForm: true)
    return String(decoding: bytes ?? Array(text), as: UTF8.self)
  }
}

/// The address of a redirect in its only accepted spelling.
private struct RedirectAddress {
  let host: LoopbackHost
  let port: UInt16
  let path: String

  /// Parses `http://HOST:PORT/PATH?QUERY`; `nil` for any other text.
  init?(_ text: String) {
    guard let host = LoopbackHost.allCases.first(where: { text.hasPrefix("http://\($0.rawValue):") }) else {
      return nil
    }
    let rest = text.utf8.dropFirst("http://\(host.rawValue):".utf8.count)
    let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    guard digits.first != UInt8(ascii: "0"), let port = UInt16(String(Substring(digits))) else { return nil }
    let end = rest[digits.endIndex...]
    // RFC 6749, section 3.1.2: without a fragment. Browsers change a path with dot segments.
    guard end.isEmpty || end.first == UInt8(ascii: "/") || end.first == UInt8(ascii: "?"),
      end.allSatisfy({ (0x21...0x7E).contains($0) && !"#\\\"<>^`{|}".utf8.contains($0) })
    else { return nil }
    let path = String(Substring(end.prefix { $0 != UInt8(ascii: "?") }))
    let segments = path.lowercased().replacing("%2e", with: ".").split(separator: "/")
    guard !segments.contains("."), !segments.contains("..") else { return nil }
    (self.host, self.port, self.path) = (host, port, path.isEmpty ? "/" : path)
  }
}

/// Redirects to the loopback interface that a program may read in a URL after decoding it any number of times.
extension LoopbackRedirect {
  private static let parameter = Array("redirect_uri".utf8)
  /// The maximum number of decodings; a text that is encoded more often counts as one with several redirects.
  private static let maximumDecodings = 8
  /// The maximum number of times that a URL names the parameter; one that names it more often counts as one with several redirects.
  private static let maximumNames = 16
  /// The maximum length of the key of an array, such as `redirect_uri[0]`.
  private static let maximumKey = 256

  /// Returns the number of redirects in the URL, and after each decoding that changes it.
  fileprivate static func counts(in url: String) -> [Int] {
    var (text, counts) = (Array(url.utf8), [Int]())
    for _ in 0...maximumDecodings {
      counts.append(count(in: text))
      guard text.contains(UInt8(ascii: "%")) else { return counts }
      let decoded = PercentEncoding.bytes(
        of: String(decoding: text, as: UTF8.self)[...].utf8, keepsMalformed: true)
      guard let decoded, decoded != text else { return counts }
      text = decoded
    }
    return ends(ofNamesIn: text).isEmpty ? counts : counts + [2]
  }

  private static func count(in text: [UInt8]) -> Int {
    let ends = ends(ofNamesIn: text)
    guard ends.count <= maximumNames else { return 2 }
    return ends.count { end in
      // PHP and others read `redirect_uri[]` as an array.
      var rest = text[end...]
      if rest.first == UInt8(ascii: "[") {
        guard let close = rest.prefix(maximumKey).firstIndex(of: UInt8(ascii: "]")) else {
          return rest.count > maximumKey
        }
        rest = rest[close...].dropFirst()
      }
      guard rest.first == UInt8(ascii: "=") else { return false }
      return isLoopback(String(decoding: rest.dropFirst().prefix(512), as: UTF8.self))
    }
  }

  /// Returns where the parameter's name ends, in any case; at most one more than `maximumNames`.
  private static func ends(ofNamesIn text: [UInt8]) -> [Int] {
    var ends: [Int] = []
    for end in stride(from: parameter.count, through: text.count, by: 1) where ends.count <= maximumNames {
      let name = text[(end - parameter.count)..<end]
      let isName = zip(name, parameter).allSatisfy { byte, letter in
        let isCapital = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
        return (isCapital ? byte | 0x20 : byte) == letter
      }
      if isName { ends.append(end) }
    }
    return ends
  }

  /// Returns whether a text begins with a web URL whose host may be this machine, in any spelling that browsers read.
  fileprivate static func isLoopback(_ text: String) -> Bool {
    let scalars = text.unicodeScalars.filter { !"\t\n\r".unicodeScalars.contains($0) }
    let plain = String(String.UnicodeScalarView(scalars.drop { $0.value <= 0x20 })).lowercased()
    guard let scheme = ["http:", "https:"].first(where: plain.hasPrefix) else { return false }
    let authority = plain.unicodeScalars.dropFirst(scheme.unicodeScalars.count)
      .drop { $0 == "/" || $0 == "\\" }
      .prefix { !"/\\?#&;\"'<>() ".unicodeScalars.contains($0) }
    let host = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
    guard host.first != "[" else {
      let address = String(host.dropFirst())
      return address.hasPrefix("::") || address.hasPrefix("0")
    }
    let name = String(host.prefix { $0 != ":" })
    return isLoopbackHost(PercentEncoding.decode(name[...]) ?? name)
  }

  private static func isLoopbackHost(_ host: String) -> Bool {
    let mapped: String
    do { mapped = try HostName.ascii(host) } catch {
      // A host that is too long to be mapped may be any host.
      if error.reason == .tooLong { return true }
      mapped = host
    }
    let labels = mapped.split(separator: ".")
    guard let first = labels.first, let last = labels.last else { return false }
    if last == "localhost" { return true }
    // Browsers read a host as an IPv4 address if its last label is a number. Only four decimal numbers are clear.
    guard let digit = last.utf8.first, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else {
      return false
    }
    let isClear =
      labels.count == 4
      && labels.allSatisfy { UInt8($0) != nil && ($0 == "0" || !$0.hasPrefix("0")) && !$0.hasPrefix("+") }
    return !isClear || first == "127" || first == "0"
  }
}
