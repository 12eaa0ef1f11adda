// SPDX-License-Identifier: Apache-2.0
internal import HostNames
internal import PercentEncoding
internal import RouteTables

/// A URL as rules and grants compare it: with the host that a browser would open.
///
/// RFC 3986, section 6; WHATWG URL, section 4.4.
struct NormalizedURL {
  /// The URL as the caller sent it, which applications receive.
  let original: URLString
  /// The URL with its host in ASCII, and with its backslashes encoded.
  let url: URLString
  /// The URL as routes compare it.
  let compared: ComparedURL
  /// Its scheme, user, host and port.
  let authority: URLAuthority

  /// Normalizes a URL.
  ///
  /// - Throws: ``UnreadableURL`` if the host or the file that the URL names is uncertain. The broker rejects such a URL
  ///   regardless of the rules, because it could not apply a rule for a host.
  init(_ url: URLString) throws(UnreadableURL) {
    guard !url.hasParentInQueryOfFile else {
      throw UnreadableURL(
        reason:
          "programs interpret a `?` followed by `..` in a `file:` URL differently; write `%3F` for a "
          + "question mark in a file name")
    }
    original = url
    do {
      compared = try ComparedURL(
        url.text, mappingHost: HostName.mappingHost, otherReadings: HostName.otherReadings)
      self.url = compared.text == url.text ? url : try URLString(spelling: compared.text)
      authority = try URLAuthority(compared.text)
    } catch let error as HostNameError {
      throw UnreadableURL(reason: error.description)
    } catch let error as RouteTableError {
      throw UnreadableURL(reason: error.message)
    } catch {
      throw UnreadableURL(reason: "\(error)")
    }
  }

  /// Returns the other reading of the URL that `match` matched; `nil` if `match` matched the URL as written.
  func reading(of match: RouteMatch<RouteAction>) -> (url: URLString, reader: String)? {
    guard match.url != compared.text,
      let reading = compared.otherReadings.first(where: { $0.text == match.url }),
      let url = try? URLString(match.url)
    else { return nil }
    return (url, reading.reader)
  }
}

extension URLString {
  /// A Boolean value that indicates whether a `file:` URL has a `..` segment after a `?`.
  ///
  /// Browsers end the path at the `?`. GIO treats the `?` as a part of the path, so that `file:///tmp?/../../etc/hosts`
  /// is `/etc/hosts` to all programs that use GIO, and `/tmp` to the others.
  fileprivate var hasParentInQueryOfFile: Bool {
    guard scheme == "file" else { return false }
    let query = text.utf8.prefix { $0 != UInt8(ascii: "#") }.drop { $0 != UInt8(ascii: "?") }
    let decoded = PercentEncoding.bytes(of: query, keepsMalformed: true) ?? Array(query)
    return decoded.split(separator: UInt8(ascii: "/")).contains { $0.elementsEqual("..".utf8) }
  }
}

/// The error of a URL that cannot be compared with rules.
struct UnreadableURL: Error {
  /// The error, and the correct spelling of the URL.
  let reason: String
}
