// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import BusInterfaces
import DBus
import Freedesktop
import RouteTables

/// The checks of the arguments of `Open`, `CanOpen` and `Explain` before anything is decided.
enum RequestDecoder {
  /// Returns the options of a call.
  ///
  /// - Throws: `InvalidRequest`, with the key; also if the options that are not known are too large.
  static func options(_ entries: [String: Variant]) throws(BusError) -> OpenOptions {
    let options = try decoded(OpenOptions(entries))
    // Not a limit of `OpenOptions` itself, which also reads stored options: numbers in JSON may be longer.
    let size = options.others.size
    guard size <= BrokerLimits.maximumUnknownOptions else {
      let names = options.others.keys.sorted().prefix(3).map { "“\($0.shortened(to: 40))”" }
      throw BusError(
        .invalidRequest,
        "the options that this version of Usher does not know (\(names.joined(separator: ", "))) have \(size) bytes; the limit is \(BrokerLimits.maximumUnknownOptions)"
      )
    }
    return options
  }

  /// Returns the options and the URLs of a call of `Open`.
  static func request(
    _ texts: [String], _ entries: [String: Variant]
  ) throws(BusError) -> (OpenOptions, [URLString]) {
    let options = try options(entries)
    return (options, try urls(texts, for: options))
  }

  /// Returns the URLs of a call, corrected as browsers do.
  ///
  /// - Throws: `InvalidURL` for the first text that is not a URL.
  static func urls(_ texts: [String]) throws(BusError) -> [URLString] {
    var urls: [URLString] = []
    for text in texts { urls.append(try url(text).url) }
    return urls
  }

  /// Returns the URL that `text` is, with the corrections.
  ///
  /// - Throws: `InvalidURL` if it is not a URL.
  static func url(_ text: String) throws(BusError) -> CorrectedURL {
    do throws(URLString.Invalid) { return try CorrectedURL(text) } catch {
      throw BusError(.invalidURL, error.description)
    }
  }

  /// Returns the URLs of a call, which must go with its options.
  ///
  /// There may be none if the options have another launch reason and a target.
  private static func urls(_ texts: [String], for options: OpenOptions) throws(BusError) -> [URLString] {
    let urls = try urls(texts)
    var request = OpenRequest(urls: urls, target: try target(of: options))
    request.reason = options.reason.rawValue
    request.desktopAction = options.desktopAction
    if let diagnostic = request.diagnostic { throw BusError(.invalidRequest, diagnostic) }
    return urls
  }

  /// Returns the target of the options, before the installed applications are known; `nil` if there is none.
  static func target(of options: OpenOptions) throws(BusError) -> ApplicationID? {
    guard let text = options.target else { return nil }
    guard let id = ApplicationID(text) else {
      throw BusError(.invalidRequest, "target: “\(text)” is not a desktop-file ID")
    }
    return id
  }
}
