// SPDX-License-Identifier: Apache-2.0
import Glibc

/// A connection to a program on this machine that waits for the answer of its sign-in, with calls that block until their time limit.
final class ProgramConnection {
  /// The maximum length of the first line of a response in bytes.
  private static let longestLine = 8_192

  private let descriptor: Int32
  private let end = MonotonicClock.now + CarriedRequest.timeout * 1_000

  /// Connects to the port of a request on the loopback interface, and sends the request; `nil` if no program accepts it.
  init?(_ request: CarriedRequest) {
    var found: Int32?
    for family in request.host.families where found == nil { found = Self.connect(to: request.port, family) }
    guard let found else { return nil }
    descriptor = found
    guard send(request.bytes) else { return nil }
  }

  deinit { close(descriptor) }

  /// Returns the status of the program's response; `nil` if there is none.
  func readStatus() -> Int? {
    var line: [UInt8] = []
    while line.count <= Self.longestLine, let bytes = read() {
      line += bytes
      if let end = line.firstIndex(of: UInt8(ascii: "\n")) {
        return CarriedRequest.status(inLine: line[..<end])
      }
    }
    return nil
  }

  /// Reads and drops what follows, so that the program can send all of it.
  func readRest() { while read() != nil {} }

  /// Returns the next bytes; `nil` at the end, and when the time has passed.
  private func read() -> [UInt8]? {
    while MonotonicClock.now < end {
      var buffer = [UInt8](repeating: 0, count: 4_096)
      let count = recv(descriptor, &buffer, buffer.count, 0)
      if count < 0, errno == EINTR { continue }
      return count > 0 ? Array(buffer[..<count]) : nil
    }
    return nil
  }

  private func send(_ bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  /// Returns a connected socket; `nil` if no program accepts the connection.
  private static func connect(to port: UInt16, _ family: Int32) -> Int32? {
    let descriptor = socket(family, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return nil }
    // They hold for the connection, too (socket(7)).
    var limit = timeval(tv_sec: CarriedRequest.timeout, tv_usec: 0)
    for option in [SO_SNDTIMEO, SO_RCVTIMEO] {
      setsockopt(descriptor, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
    }
    let result: Int32
    if family == AF_INET {
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = port.bigEndian
      address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
      result = connect(descriptor, to: &address)
    } else {
      var address = sockaddr_in6()
      address.sin6_family = sa_family_t(AF_INET6)
      address.sin6_port = port.bigEndian
      address.sin6_addr = in6addr_loopback
      result = connect(descriptor, to: &address)
    }
    guard result == 0 else {
      close(descriptor)
      return nil
    }
    return descriptor
  }

  private static func connect<Address>(_ descriptor: Int32, to address: inout Address) -> Int32 {
    withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<Address>.size))
      }
    }
  }
}

extension LoopbackHost {
  /// The families of the addresses for which the host stands, in the order in which they are tried.
  fileprivate var families: [Int32] {
    switch self {
    case .ipv4: [AF_INET]
    case .ipv6: [AF_INET6]
    case .name: [AF_INET, AF_INET6]
    }
  }
}
