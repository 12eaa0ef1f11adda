// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The cookie that authenticates a client to a display, from the file that `XAUTHORITY` names.
///
/// The file is a list of entries (Xsecurity(7)): the family of an address, then address, display number, name of the
/// scheme and data, each preceded by its length in two bytes, the higher one first.
struct X11Authority: Equatable {
  static let scheme = "MIT-MAGIC-COOKIE-1"
  /// The cookie for the server.
  let cookie: [UInt8]

  private static let localFamily = 256
  private static let anyFamily = 0xFFFF

  /// Finds the cookie for `display` in the bytes of a file; `nil` if there is none.
  ///
  /// - Parameter hostName: the name of this machine.
  init?(for display: X11Display, in file: [UInt8], hostName: String) {
    var rest = file[...]
    func number() -> Int? {
      guard let high = rest.popFirst(), let low = rest.popFirst() else { return nil }
      return Int(high) << 8 | Int(low)
    }
    func field() -> ArraySlice<UInt8>? {
      guard let length = number(), length <= rest.count else { return nil }
      defer { rest = rest.dropFirst(length) }
      return rest.prefix(length)
    }
    var others: [UInt8]?
    while let family = number(), let address = field(), let displayNumber = field(), let name = field(),
      let data = field()
    {
      let isDisplay = displayNumber.isEmpty || displayNumber.elementsEqual("\(display.number)".utf8)
      guard isDisplay, name.elementsEqual(Self.scheme.utf8) else { continue }
      let isHere = family == Self.localFamily && address.elementsEqual(hostName.utf8)
      if isHere || family == Self.anyFamily {
        cookie = Array(data)
        return
      }
      others = others ?? Array(data)
    }
    // Used if no entry matches, because the machine may have been renamed, and a forwarded display has an address.
    guard let others else { return nil }
    cookie = others
  }

  /// Reads the cookie for `display` from the file that the environment names; `nil` if there is none.
  init?(for display: X11Display, _ variable: (String) -> String?) {
    let path = variable("XAUTHORITY") ?? variable("HOME").map { "\($0)/.Xauthority" }
    guard let path, let bytes = Self.content(of: path) else { return nil }
    var name = [CChar](repeating: 0, count: 256)
    gethostname(&name, name.count - 1)
    let hostName = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    self.init(for: display, in: bytes, hostName: hostName)
  }

  private static func content(of path: String) -> [UInt8]? {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 64 << 10)
    let count = read(file, &bytes, bytes.count)
    return count < 0 ? nil : Array(bytes.prefix(count))
  }
}
