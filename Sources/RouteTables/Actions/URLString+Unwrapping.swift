// SPDX-License-Identifier: Apache-2.0
import PercentEncoding

extension URLString {
  /// The reason why a query item of a URL is not opened in its place.
  public enum WrappingObstacle: Error, Hashable, Sendable, CustomStringConvertible {
    /// The URL has no item of this name.
    case noItem(String)
    /// The URL has several items of this name, of which programs choose different ones.
    case severalItems(String)
    /// The value has invalid percent-encoding, or is not UTF-8.
    case invalidEncoding(String)
    /// The value does not begin with `http://` or `https://` and a host.
    case notAbsolute(String)
    /// The value has a user name before its host, or an encoded character in it.
    case disguisedHost(String)
    /// The value is not a URL, for this reason.
    case invalid(String, URLString.Invalid)

    /// The reason as a clause, without the value.
    public var description: String {
      switch self {
      case .noItem(let name): "the link has no query item `\(name)`"
      case .severalItems(let name): "the link has several query items `\(name)`"
      case .invalidEncoding(let name): "the query item `\(name)` has invalid percent-encoding"
      case .notAbsolute(let name): "the query item `\(name)` is not an absolute http or https URL"
      case .disguisedHost(let name):
        "the URL in the query item `\(name)` has a user name or an encoded character before its path"
      case .invalid(let name, let reason): "the query item `\(name)` is not a valid URL: \(reason)"
      }
    }
  }

  /// Returns the http or https URL in the query item `name`.
  ///
  /// The value is decoded once, as a form (`+` is a space); a space after the host is written as `%20`. The result is absolute and has a
  /// host, without a user name and without percent-encoding before its path, so that all programs find the same host in it.
  ///
  /// WHATWG URL, section 5.1 (application/x-www-form-urlencoded parsing).
  public func unwrapped(from name: String) -> Result<URLString, WrappingObstacle> {
    let query = text.utf8.prefix { $0 != UInt8(ascii: "#") }.drop { $0 != UInt8(ascii: "?") }.dropFirst()
    var values: [Substring.UTF8View] = []
    for item in query.split(separator: UInt8(ascii: "&")) {
      let key = item.prefix { $0 != UInt8(ascii: "=") }
      guard let decoded = PercentEncoding.bytes(of: key, isForm: true), decoded.elementsEqual(name.utf8)
      else { continue }
      values.append(item.dropFirst(key.count + 1))
    }
    guard let value = values.first else { return .failure(.noItem(name)) }
    guard values.count == 1 else { return .failure(.severalItems(name)) }
    guard let decoded = PercentEncoding.bytes(of: value, isForm: true) else {
      return .failure(.invalidEncoding(name))
    }
    guard let start = Self.hostStart(in: decoded) else { return .failure(.notAbsolute(name)) }
    let host = decoded[start...].prefix { !"/?#".utf8.contains($0) }
    guard !host.isEmpty, decoded[start] != UInt8(ascii: "\\") else { return .failure(.notAbsolute(name)) }
    guard !host.contains(where: { "@%".utf8.contains($0) }) else { return .failure(.disguisedHost(name)) }
    var bytes = Array(decoded[..<host.endIndex])
    for byte in decoded[host.endIndex...] {
      bytes += byte == UInt8(ascii: " ") ? Array("%20".utf8) : [byte]
    }
    guard String(validating: bytes, as: UTF8.self) != nil else { return .failure(.invalidEncoding(name)) }
    do throws(Invalid) {
      return .success(try URLString(bytes: bytes))
    } catch {
      return .failure(.invalid(name, error))
    }
  }

  /// Returns the offset of the host in an absolute http or https URL; `nil` if it is none.
  private static func hostStart(in bytes: [UInt8]) -> Int? {
    for prefix in ["http://", "https://"] where bytes.count > prefix.utf8.count {
      if zip(bytes, prefix.utf8).allSatisfy({ $0.foldedASCII == $1 }) { return prefix.utf8.count }
    }
    return nil
  }
}
