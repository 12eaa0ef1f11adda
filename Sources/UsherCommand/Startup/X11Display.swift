// SPDX-License-Identifier: Apache-2.0
import Glibc

/// A display of the X Window System, in the form of `DISPLAY`: `HOST:NUMBER.SCREEN`.
struct X11Display: Equatable {
  /// The host name; `nil` for this machine.
  let host: String?
  /// The display number on the host.
  let number: UInt16

  /// Parses `text`; `nil` if it names no display.
  ///
  /// X(7), "DISPLAY NAMES".
  init?(_ text: String) {
    guard let colon = text.lastIndex(of: ":") else { return nil }
    let digits = text[text.index(after: colon)...].prefix { $0 != "." }
    guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = UInt16(digits)
    else { return nil }
    let host = String(text[..<colon])
    self.host = ["", "unix"].contains(host) ? nil : host
    self.number = number
  }

  /// Returns a connected socket; `nil` if no server listens.
  ///
  /// - Parameter timeout: the timeout of each step in seconds.
  func connect(timeout: Int) -> Int32? {
    guard let host else {
      let path = "/tmp/.X11-unix/X\(number)"
      return connected(AF_UNIX, timeout) { socket in
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
        return withUnsafePointer(to: &address) {
          $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            Glibc.connect(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
          }
        }
      }
    }
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var list: UnsafeMutablePointer<addrinfo>?
    // Servers listen on port 6000 plus the display number.
    guard getaddrinfo(host, "\(6_000 + Int(number))", &hints, &list) == 0 else { return nil }
    defer { freeaddrinfo(list) }
    var entry = list
    while let found = entry?.pointee {
      let socket = connected(found.ai_family, timeout) {
        Glibc.connect($0, found.ai_addr, found.ai_addrlen)
      }
      if let socket { return socket }
      entry = found.ai_next
    }
    return nil
  }

  private func connected(_ family: Int32, _ timeout: Int, by connect: (Int32) -> Int32) -> Int32? {
    let socket = socket(family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard socket >= 0 else { return nil }
    var limit = timeval(tv_sec: timeout, tv_usec: 0)
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
      setsockopt(socket, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
    }
    guard connect(socket) == 0 else {
      close(socket)
      return nil
    }
    return socket
  }
}
