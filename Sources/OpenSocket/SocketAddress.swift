// SPDX-License-Identifier: Apache-2.0
public import Glibc

/// Creates addresses of sockets (unix(7)).
public enum SocketAddress {
  /// Calls `body`, such as `bind` or `connect`, with the address of the socket at `path`; returns -1 if the path is too long.
  public static func with(
    _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { return -1 }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }

  /// Calls `body` with the address of the socket of this name in the abstract namespace of unix(7); returns -1 if it is too long.
  public static func withAbstract(
    _ name: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    // The name is preceded by a zero byte and not terminated.
    let bytes = [0] + Array(name.utf8)
    let room = MemoryLayout.size(ofValue: address.sun_path)
    guard bytes.count <= room else { return -1 }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    let size = MemoryLayout<sockaddr_un>.size - room + bytes.count
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(size)) }
    }
  }
}
