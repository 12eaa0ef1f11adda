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

  /// Normalizes a URL; throws the sentence for the user where it cannot be told which host or path the URL names.
  ///
  /// What throws is refused whatever the rules say: a rule for a host could not be applied.
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

/// Why a URL cannot be compared with rules.
struct UnreadableURL: Error {
  /// What is wrong, and what to write.
  let reason: String
}
