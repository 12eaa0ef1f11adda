// SPDX-License-Identifier: Apache-2.0
/// The address for the answer to one request: URLs of the caller's own scheme with an unguessable token.
///
/// They are `SCHEME://x-callback-url/usher-answer/TOKEN/success`, and the corresponding URLs with `error` and
/// `cancel`.
public struct CallbackAddress: Hashable, Sendable {
  /// The scheme of the command `usher`, which has its own desktop entry.
  public static let commandScheme = "usher-callback"

  /// The caller's scheme, in lower case.
  public let scheme: String
  /// 128 random bits, as 32 hexadecimal digits.
  public let token: String

  /// Creates an address with a new token.
  public init(scheme: String) {
    self.scheme = scheme.lowercased()
    token = RequestID.random()
  }

  private init(scheme: String, token: String) {
    self.scheme = scheme
    self.token = token
  }

  /// Parses the URL of an answer; `nil` if it is not one.
  ///
  /// An answer that cannot be decoded is returned as an error, because no other program can use it.
  public static func read(_ url: String) -> (address: CallbackAddress, answer: XCallbackAnswer)? {
    guard let parts = URLParts(url), parts.authority?.lowercased() == XCallbackURL.host else { return nil }
    let path = parts.path.split(separator: "/", omittingEmptySubsequences: false)
    guard path.count == 4, path[0].isEmpty, path[1] == action, isToken(path[2]),
      let kind = XCallbackAnswer.Kind(rawValue: String(path[3]))
    else { return nil }
    let address = CallbackAddress(scheme: parts.scheme.lowercased(), token: String(path[2]))
    do throws(MessageError) {
      return (address, XCallbackAnswer(kind, try parts.parameters()))
    } catch {
      return (address, .error(code: nil, message: "the answer is invalid: \(error)"))
    }
  }

  private static let action = "usher-answer"

  private static func isToken(_ text: Substring) -> Bool {
    text.utf8.count == 32
      && text.utf8.allSatisfy {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
          || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
      }
  }

  /// Returns the URL for one kind of answer.
  public func url(of kind: XCallbackAnswer.Kind) -> String {
    "\(scheme)://\(XCallbackURL.host)/\(Self.action)/\(token)/\(kind.rawValue)"
  }

  /// Returns a request's URL with these callbacks appended; the rest of the URL is unchanged.
  /// - Throws: ``MessageError`` if it already has callbacks.
  public func adding(to url: String, source: String) throws(MessageError) -> String {
    let callbacks = XCallbackAnswer.Kind.allCases.map { kind in
      XCallbackURL.Parameter("x-\(kind.rawValue)", self.url(of: kind))
    }
    let names = Set(callbacks.map(\.name))
    for item in URLParts(url)?.query?.split(separator: "&") ?? [] {
      let name = String(item.prefix { $0 != "=" })
      guard !names.contains(name) else { throw MessageError(.duplicateKey, at: name) }
    }
    return XCallbackURL.appending([XCallbackURL.Parameter("x-source", source)] + callbacks, to: url)
  }
}
