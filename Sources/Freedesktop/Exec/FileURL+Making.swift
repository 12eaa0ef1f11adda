// SPDX-License-Identifier: Apache-2.0
extension FileURL {
  /// Returns the `file:` URL of an absolute path, whose bytes need not be UTF-8.
  ///
  /// RFC 8089, section 2. Every byte of the path is preserved: bytes that a URL's path cannot contain, and bytes that
  /// programs are known to interpret differently, are percent-encoded; GLib leaves the others unencoded, too.
  public static func url(ofPath path: some Sequence<UInt8>) -> String {
    var bytes = Array("file://".utf8)
    for byte in path {
      if byte.isASCIILetter || byte.isASCIIDigit || plain.contains(byte) {
        bytes.append(byte)
      } else {
        bytes += [UInt8(ascii: "%"), hexDigits[Int(byte >> 4)], hexDigits[Int(byte & 0xF)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static let plain = Set("-_.~/!*'()&=:@+$,".utf8)
  private static let hexDigits = Array("0123456789ABCDEF".utf8)
}
