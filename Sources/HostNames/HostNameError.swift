// SPDX-License-Identifier: Apache-2.0
/// The error of a host that cannot be mapped to ASCII.
public struct HostNameError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of error.
  public enum Reason: Hashable, Sendable {
    /// The mapped host is empty.
    case empty
    /// The mapped host has an empty label, other than one after the last dot.
    case emptyLabel
    /// The mapped host contains a delimiter of URLs, a space or a control character.
    case forbidden
    /// The host has more labels than a route can match, or more bytes than a name beyond ASCII can have.
    case tooLong
    /// Browsers map the host to different names.
    case disputed
    /// UTS 46 or IDNA 2008 has no ASCII form for the host; libidn2's reason.
    case unmappable(String)
    /// libidn2, which maps hosts beyond ASCII, is not installed.
    case noLibrary
    /// The percent-encoded bytes of the host are not UTF-8.
    case notUTF8
  }

  /// The host as the URL has it.
  public let host: String
  /// The kind of the error.
  public let reason: Reason

  init(_ host: String, _ reason: Reason) {
    self.host = host
    self.reason = reason
  }

  /// The error as a sentence for users.
  public var description: String {
    switch reason {
    case .empty: "the host is empty: write the name of a host after `//`"
    case .emptyLabel:
      "the host has two dots in a row, or a dot at its beginning, and no server has such a name: remove the dots"
    case .forbidden:
      "the host has an invalid character: write the host in letters, digits, `-` and `.`"
    case .tooLong:
      "the host has more than \(HostName.maximumLabels) labels, or more than \(HostName.maximumMappedBytes) bytes that are not all ASCII: write a shorter name"
    case .disputed: "browsers map the host to different names: write it in ASCII, such as `xn--…`"
    case .unmappable(let reason): "the host has no ASCII form (\(reason)): write it in ASCII, such as `xn--…`"
    case .noLibrary:
      "the host is not ASCII, and libidn2.so.0, which converts it, is not installed: install libidn2-0, or write the host as `xn--…`"
    case .notUTF8:
      "the percent-encoded bytes of the host are not UTF-8: write the host in ASCII, such as `xn--…`"
    }
  }
}
