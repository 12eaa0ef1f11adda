internal import HostNames
internal import RouteTables

/// A URL as rules and grants compare it: with the host that a browser would open.
///
/// Applications get the URL as it came. RFC 3986, section 6; WHATWG URL, section 4.4.
struct NormalizedURL {
  /// The URL with its host in ASCII.
  let url: URLString
  /// Its scheme, user, host and port.
  let authority: URLAuthority

  /// Normalizes a URL.
  ///
  /// - Throws: ``UnreadableURL`` if the host or the file that the URL names is uncertain. The broker refuses such a URL whatever the
  ///   rules say, because it could not apply a rule for a host.
  init(_ url: URLString) throws(UnreadableURL) {
    do {
      let text = try HostName.mappingHost(of: url.text)
      self.url = text == url.text ? url : try URLString(text)
      authority = try URLAuthority(text)
    } catch let error as HostNameError {
      throw UnreadableURL(reason: error.description)
    } catch let error as RouteTableError {
      throw UnreadableURL(reason: error.message)
    } catch {
      throw UnreadableURL(reason: "\(error)")
    }
  }
}

/// The error of a URL that cannot be compared with rules.
struct UnreadableURL: Error {
  /// The fault, and what to write in its place.
  let reason: String
}
