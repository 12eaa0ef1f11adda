// SPDX-License-Identifier: Apache-2.0
/// The request with the answer of a sign-in, as it is carried to the program on the other machine: a GET without cookies.
///
/// The relay describes it, and the command that holds the connection to the machine, or the client in a container, writes it, so that the relay
/// cannot send anything else.
public struct CarriedRequest: Hashable, Sendable {
  /// The lowest port: those below belong to services of the system.
  public static let lowestPort: UInt16 = 1_024
  /// The maximum length of the target in bytes.
  public static let longestTarget = 16 << 10
  /// The maximum number of requests for one machine at a time: as many sign-ins of it wait for their answers.
  public static let maximumCount = 4

  /// The time in seconds in which the program must answer.
  public static let timeout = 30

  /// The host of the redirect.
  public let host: LoopbackHost
  /// The port of the program.
  public let port: UInt16
  /// The path and the query.
  public let target: String

  /// Creates a request; `nil` if the port is too low, or if the target is too long, does not begin with `/`, or has other characters than
  /// visible ASCII.
  public init?(host: LoopbackHost, port: UInt16, target: String) {
    guard port >= Self.lowestPort, target.utf8.count <= Self.longestTarget,
      target.utf8.first == UInt8(ascii: "/"), target.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
    else { return nil }
    self.host = host
    self.port = port
    self.target = target
  }

  /// The host and the port, as ssh(1) takes them for `-W`, and as the field `Host` has them.
  public var authority: String { "\(host.rawValue):\(port)" }

  /// The request on the wire (RFC 9112).
  public var bytes: [UInt8] {
    Array("GET \(target) HTTP/1.1\r\nHost: \(authority)\r\nConnection: close\r\n\r\n".utf8)
  }
}

extension CarriedRequest {
  /// Reads a message of the kind ``RemoteMessage/Kind/carry``; `nil` if it is malformed.
  public init?(_ message: RemoteMessage) {
    guard let host = message["host"].flatMap({ LoopbackHost(rawValue: $0) }),
      let port = message["port"].flatMap({ UInt16($0) }), let target = message["target"]
    else { return nil }
    self.init(host: host, port: port, target: target)
  }

  /// Returns the message that requests to carry this request, which answers the sign-in of the request with an ID.
  public func message(for id: String) -> RemoteMessage {
    RemoteMessage(.carry, ["id": id, "host": host.rawValue, "port": "\(port)", "target": target])
  }

  /// Returns the status in the first line of the program's response (RFC 9112, section 4); `nil` if it is none.
  public static func status(inLine line: some Sequence<UInt8>) -> Int? {
    let words = Array(line).split(whereSeparator: { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\r") })
    guard words.count >= 2, words[0].starts(with: "HTTP/1.".utf8), words[1].count == 3,
      words[1].allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    else { return nil }
    let status = words[1].reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    return status >= 100 ? status : nil
  }
}

/// A line between a relay, which writes to its standard output and reads its standard input, and the command that has started it.
public enum RelayLine: Hashable, Sendable {
  /// The relay accepts connections.
  case ready
  /// The relay requests that a request is carried to the machine; the number is unique among the requests of the relay.
  case carry(UInt64, CarriedRequest)
  /// The command reports the status of the program's response.
  case carried(UInt64, status: Int)
  /// The command reports that no program has answered.
  case failed(UInt64)

  /// The line, without its ending.
  public var text: String {
    switch self {
    case .ready: "ready"
    case .carry(let number, let request):
      "carry \(number) \(request.host.rawValue) \(request.port) \(request.target)"
    case .carried(let number, let status): "carried \(number) \(status)"
    case .failed(let number): "failed \(number)"
    }
  }

  /// Parses a line; `nil` if it is malformed.
  public init?(_ text: String) {
    let words = text.split(separator: " ", omittingEmptySubsequences: false)
    let number = words.count > 1 ? UInt64(words[1]) : nil
    switch (words.first, number, words.count) {
    case ("ready", nil, 1): self = .ready
    case ("carry", let number?, 5):
      guard let host = LoopbackHost(rawValue: String(words[2])), let port = UInt16(words[3]),
        let request = CarriedRequest(host: host, port: port, target: String(words[4]))
      else { return nil }
      self = .carry(number, request)
    case ("carried", let number?, 3):
      guard let status = Int(words[2]), (100...999).contains(status) else { return nil }
      self = .carried(number, status: status)
    case ("failed", let number?, 2): self = .failed(number)
    default: return nil
    }
  }
}
