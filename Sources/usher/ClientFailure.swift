// SPDX-License-Identifier: Apache-2.0
/// An error of a call whose links open on another desktop, if that desktop has not reported it.
enum ClientFailure {
  /// The arguments are wrong, with the reason.
  case usage(String)
  /// No file has this path.
  case missingFile(String)
  /// No relay can be reached, with the sentence for the user.
  case unreachable(String)
  /// The relay has rejected the connection, with the sentence for the user.
  case rejected(String)
  /// The connection ended after the request was sent, with the sentence for the user.
  case lost(String)

  /// The sentence for the user.
  var message: String {
    switch self {
    case .usage(let reason), .unreachable(let reason), .rejected(let reason), .lost(let reason): reason
    case .missingFile(let path): "file '\(path)' does not exist"
    }
  }

  /// Returns the exit status, which is another one by the name of `xdg-open`.
  func status(isXDGOpen: Bool) -> Int32 {
    switch self {
    case .usage: isXDGOpen ? 1 : 64
    case .missingFile: 2
    case .unreachable: isXDGOpen ? 3 : 69
    case .rejected, .lost: isXDGOpen ? 4 : 5
    }
  }

  /// The name on the bus of the broker's error with this exit status.
  private var name: String {
    switch self {
    case .usage: "org.usher.Error.InvalidRequest"
    case .missingFile: "org.usher.Error.NoHandler"
    case .unreachable: "org.usher.Error.NeedsBus"
    case .rejected, .lost: "org.usher.Error.Timeout"
    }
  }

  /// Returns the object that `usher open --json` prints, with the ID of the request.
  func json(of id: String) -> String {
    let outcome = if case .lost = self { "unknown" } else { "failed" }
    return
      #"{"deliveries":[],"error":"\#(name)","message":"\#(Self.escaped(message))","outcome":"\#(outcome)","request-id":"\#(id)"}"#
  }

  /// Returns a text as the content of a string of JSON (RFC 8259, section 7).
  private static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x22, 0x5C: result += "\\\(scalar)"
      case 0..<0x20, 0x7F..<0xA0:
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
