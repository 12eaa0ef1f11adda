// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import PercentEncoding
import RemoteProtocol
import RouteTables

/// The answer of a sign-in that a relay waits for, and the check of a request against it.
struct ExpectedRedirect: Equatable {
  /// The origin of the site, for the page that ends the sign-in.
  let site: String
  /// The host of the redirect.
  let host: LoopbackHost
  /// The port of the redirect.
  let port: UInt16
  /// The path of the redirect.
  let path: String
  /// The text by which the program recognizes its answer.
  let state: String

  /// The reason why a request is not the answer.
  enum Mismatch: Int, CaseIterable, Error {
    /// It is not HTTP/1.1 or HTTP/1.0, or has a body or several hosts.
    case malformed = 400
    /// Its `state` is another one, absent or repeated, its `iss` is repeated or unreadable, or a page requests it in the background.
    case state = 403
    /// Its path is another one.
    case path = 404
    /// Its method is not GET.
    case method = 405
    /// The sign-in has had its answer.
    case late = 410
    /// Its host is not that of the redirect, as after DNS rebinding.
    case host = 421
    /// Its head is too long.
    case tooLong = 431
  }

  /// Returns the request to carry to the machine for a request of the browser.
  ///
  /// Nothing of it is carried but the path and the query.
  func request(for head: HTTPRequestHead) -> Result<CarriedRequest, Mismatch> {
    // The host comes first: a page of another origin learns nothing else.
    guard head.values(of: "host") == ["\(host.rawValue):\(port)"] else {
      return .failure(head.values(of: "host").count == 1 ? .host : .malformed)
    }
    guard head.method == "GET" else { return .failure(.method) }
    guard head.values(of: "transfer-encoding").isEmpty,
      head.values(of: "content-length").allSatisfy({ $0 == "0" })
    else { return .failure(.malformed) }
    let requested = head.target.utf8.prefix { $0 != UInt8(ascii: "?") }
    guard String(Substring(requested)) == path else { return .failure(.path) }
    let issuers = Self.values(of: "iss", in: head.target)
    guard Self.values(of: "state", in: head.target) == [state], isNavigation(head), issuers.count <= 1,
      issuers.allSatisfy({ Self.host(of: $0) != nil })
    else { return .failure(.state) }
    guard let request = CarriedRequest(host: host, port: port, target: head.target) else {
      return .failure(.malformed)
    }
    return .success(request)
  }

  /// Returns the host of the issuer that an answer names (RFC 9207), if it is not the host of the site; `nil` if it is, or if none is named.
  ///
  /// Such an answer may be that of another site to which the browser was led. It is carried nevertheless, because many sites have their
  /// issuer under another host than the page at which users sign in.
  func otherIssuer(of answer: CarriedRequest) -> String? {
    guard let issuer = Self.values(of: "iss", in: answer.target).first.flatMap(Self.host),
      issuer != Self.host(of: site)
    else { return nil }
    return issuer
  }

  /// Returns the host of a web URL in lower case and in ASCII; `nil` if the text has none.
  private static func host(of text: String) -> String? {
    guard let origin = WebOrigin(text), origin != .opaque else { return nil }
    return (try? URLString(origin.text))?.host
  }

  /// Returns whether the browser requests the page for a tab, as far as it says so (Fetch Metadata Request Headers).
  private func isNavigation(_ head: HTTPRequestHead) -> Bool {
    [("sec-fetch-dest", "document"), ("sec-fetch-mode", "navigate")].allSatisfy { name, value in
      head.values(of: name).allSatisfy { $0 == value }
    }
  }

  /// Returns the values of a parameter in the query of a target, decoded as `application/x-www-form-urlencoded`.
  private static func values(of name: String, in target: String) -> [String] {
    func decoded(_ text: Substring.UTF8View) -> String {
      PercentEncoding.decode(String(Substring(text)).replacing("+", with: " ")[...]) ?? ""
    }
    let query = target.utf8.drop { $0 != UInt8(ascii: "?") }.dropFirst()
    return query.split(separator: UInt8(ascii: "&")).compactMap { parameter in
      let end = parameter.firstIndex(of: UInt8(ascii: "=")) ?? parameter.endIndex
      return decoded(parameter[..<end]) == name ? decoded(parameter[end...].dropFirst()) : nil
    }
  }
}
