// SPDX-License-Identifier: Apache-2.0
internal import CIDN2

/// Maps host names to ASCII as browsers do before they compare or resolve them.
///
/// WHATWG URL, section 3.3, "domain to ASCII"; UTS 46 with nontransitional processing, by libidn2. libidn2 also
/// applies the rules of IDNA 2008, so it rejects some names that browsers accept. It never maps a name to another one
/// than browsers do.
public enum HostName {
  /// The maximum number of labels of a host.
  ///
  /// Routes match no host with more.
  static let maximumLabels = 128
  /// The maximum length in bytes of a host with a label that libidn2 maps.
  ///
  /// No server has a longer name: its ASCII form has at most 253 bytes (RFC 1035, section 2.3.4).
  static let maximumMappedBytes = 4_096

  /// Returns the ASCII form of a host, percent-decoded and without port: letters in lower case, and `xn--` labels for the rest.
  ///
  /// ```swift
  /// try HostName.ascii("Bad。example")   // "bad.example"
  /// try HostName.ascii("münchen.de")    // "xn--mnchen-3ya.de"
  /// ```
  ///
  /// - Throws: ``HostNameError`` for a name that browsers refuse, that is empty, too long, or that browsers map differently.
  public static func ascii(_ host: String) throws(HostNameError) -> String {
    // A dot at the end adds no label. The limit comes before the mapping, which takes microseconds for each label.
    let written = host.unicodeScalars.split(
      separator: ".", maxSplits: maximumLabels + 1, omittingEmptySubsequences: false)
    guard written.count <= maximumLabels + 1 else { throw HostNameError(host, .tooLong) }
    var labels: [String] = []
    for label in written {
      let label = String(label)
      labels.append(isPlain(label) ? label.asciiLowercased : try mapped(label, of: host))
    }
    let ascii = labels.joined(separator: ".")
    // A mapping may yield characters that no host can contain: the full-width solidus becomes `/`.
    guard !ascii.utf8.contains(where: isForbidden) else { throw HostNameError(host, .forbidden) }
    guard ascii.utf8.contains(where: { $0 != UInt8(ascii: ".") }) else { throw HostNameError(host, .empty) }
    return ascii
  }

  /// Returns whether mapping changes only the case of the label: it is ASCII and not an ACE label.
  private static func isPlain(_ label: String) -> Bool {
    label.utf8.allSatisfy { $0 < 0x80 } && !label.asciiLowercased.hasPrefix("xn--")
  }

  /// Returns libidn2's mapping of one label, which may be several labels because some characters map to a dot.
  private static func mapped(_ label: String, of host: String) throws(HostNameError) -> String {
    // Unicode 15.1 changed the mapping of the capital sharp s from `ss` to `ß`, so browsers disagree.
    guard !label.unicodeScalars.contains("\u{1E9E}") else { throw HostNameError(host, .disputed) }
    // One label may contain thousands of characters that are mapped to a dot or to nothing.
    guard host.utf8.count <= maximumMappedBytes else { throw HostNameError(host, .tooLong) }
    guard let library = IDNLibrary.shared else { throw HostNameError(host, .noLibrary) }
    var result: UnsafeMutablePointer<UInt8>?
    let code = library.lookup(label, &result)
    defer { library.free(result) }
    guard code == Int32(IDN2_OK.rawValue), let result else {
      // An ACE label of characters that only IDNA 2008 disallows, such as emoji, is the same name to every browser.
      if code == Int32(IDN2_DISALLOWED.rawValue), label.utf8.allSatisfy({ $0 < 0x80 }) {
        return label.asciiLowercased
      }
      throw HostNameError(
        host, .unmappable(library.reason(code)))
    }
    return String(cString: result).asciiLowercased
  }

  /// Returns whether no host in ASCII may contain the byte.
  ///
  /// WHATWG URL, section 3.2, "forbidden domain code point".
  private static func isForbidden(_ byte: UInt8) -> Bool {
    byte <= 0x20 || byte >= 0x7F || "#/:<>?@[\\]^|%".utf8.contains(byte)
  }
}

extension String {
  /// The text with its ASCII capitals in lower case.
  var asciiLowercased: String {
    guard utf8.contains(where: { $0 &- UInt8(ascii: "A") < 26 }) else { return self }
    return String(decoding: utf8.map { $0 &- UInt8(ascii: "A") < 26 ? $0 | 0x20 : $0 }, as: UTF8.self)
  }
}
