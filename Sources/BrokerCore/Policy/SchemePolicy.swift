// SPDX-License-Identifier: Apache-2.0
import Freedesktop
import RouteTables

/// The URLs that are rejected by their scheme, regardless of routes and desktop entries.
enum SchemePolicy {
  /// Returns the reason why a route may not pass an argument with captures to a program; `nil` if it may.
  ///
  /// The argument, and the text after its first `=`, are parsed as browsers parse a URL: spaces and control characters
  /// before the scheme are ignored, and tabs and line ends everywhere (WHATWG URL, 4.4).
  static func refusal(ofArgument text: String) -> Refusal? {
    let parts = [text[...]] + (text.firstIndex(of: "=").map { [text[text.index(after: $0)...]] } ?? [])
    for part in parts {
      let bytes = part.utf8.drop { $0 <= 0x20 }.filter { ![0x09, 0x0A, 0x0D].contains($0) }
      guard let scheme = URLScheme(of: String(decoding: bytes, as: UTF8.self)) else { continue }
      if let refusal = refusal(of: scheme.rawValue) { return refusal }
    }
    return nil
  }

  /// Returns the reason why URLs of `scheme` are rejected; `nil` if they are not.
  ///
  /// `file` is opened, although no application may register it.
  static func refusal(of scheme: String) -> Refusal? {
    guard scheme != "file", let scheme = URLScheme(scheme), let reason = scheme.reservation else {
      return nil
    }
    return .denied(reason: "\(scheme): links are never opened: \(reason)")
  }

  /// Returns the rejection of a `file:` URL that names no local file: one with a host, or without an absolute path.
  ///
  /// `nil` for every other URL.
  ///
  /// Programs disagree on such URLs, and some ignore the host, so that no rule for a path would hold.
  static func refusal(ofFileURL url: URLString) -> Refusal? {
    switch FileURL.place(of: url.text) {
    case .path?, nil: return nil
    case .host(let host)?:
      // The host of the URL may have user information before it, which is secret.
      let name = host.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
      let reason = "the file: URL names the host “\(name)”, but only files of this machine can be opened"
      return .denied(reason: "\(reason); write file:///… or the address of a service that has the file")
    case .nowhere?: return .denied(reason: "the file: URL has no absolute path")
    }
  }
}
