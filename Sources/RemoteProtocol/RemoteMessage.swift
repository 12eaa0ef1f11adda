// SPDX-License-Identifier: Apache-2.0
import OpenSocket

/// A message between a remote client and a relay.
///
/// It has a kind and named values; a name may occur several times. Both sides ignore kinds and names that they do not know, so that
/// a later version can add some.
///
/// On the wire it is its length in four bytes, the most significant first, and that many bytes: the kind, then the names and values
/// alternately, each in UTF-8 and terminated by U+0000. ``RemoteStream`` describes the messages.
public struct RemoteMessage: Hashable, Sendable {
  /// The kinds of messages.
  public enum Kind: String, CaseIterable, Sendable {
    /// The relay introduces itself.
    case ready
    /// The client requests that URLs are opened.
    case open
    /// The client withdraws a request.
    case cancel
    /// The client requests the links of a scheme.
    case register
    /// The relay reports that links of the scheme are sent.
    case registered
    /// The relay sends links.
    case link
    /// The client reports the end of its work with links.
    case handled
    /// The relay reports the progress of a request.
    case progress
    /// The relay reports the end of a request.
    case result
    /// The relay requests that the client carries the answer of a sign-in to the program on the machine.
    case carry
    /// The client reports the end of its work with the answer of a sign-in.
    case carried
    /// The relay reports the end of a sign-in, for which the client has stayed.
    case ended
    /// The relay rejects the connection, and closes it.
    case rejection
  }

  /// A name and its value.
  public struct Field: Hashable, Sendable {
    /// The name.
    public let name: String
    /// The value.
    public let value: String

    /// Creates a field.
    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// The maximum size of a message in bytes, without its length.
  public static let limit = 1 << 20

  /// The kind, as it is written.
  public let kindName: String
  /// The fields in order.
  public var fields: [Field]

  /// The kind; `nil` for an unknown one.
  public var kind: Kind? { Kind(rawValue: kindName) }

  /// Creates a message, without the fields whose value is `nil`.
  public init(_ kind: Kind, _ fields: KeyValuePairs<String, String?> = [:]) {
    kindName = kind.rawValue
    self.fields = fields.compactMap { name, value in value.map { Field(name, $0) } }
  }

  /// The first value of a name; `nil` if there is none.
  public subscript(name: String) -> String? { fields.first { $0.name == name }?.value }

  /// Returns all values of a name, in order.
  public func values(of name: String) -> [String] { fields.filter { $0.name == name }.map(\.value) }

  /// The message on the wire; `nil` if it is too long, or a text contains U+0000.
  public var bytes: [UInt8]? {
    let texts = [kindName] + fields.flatMap { [$0.name, $0.value] }
    guard let content = TerminatedTexts.bytes(of: texts), content.count <= Self.limit else { return nil }
    let length = UInt32(content.count)
    return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: length >> $0) } + content
  }

  /// Parses the content of a message, without its length; `nil` if it is malformed.
  public init?(content: some Sequence<UInt8>) {
    guard let texts = TerminatedTexts.texts(in: content), texts.count % 2 == 1, !texts[0].isEmpty else {
      return nil
    }
    kindName = texts[0]
    fields = stride(from: 1, to: texts.count, by: 2).map { Field(texts[$0], texts[$0 + 1]) }
    guard fields.allSatisfy({ !$0.name.isEmpty }) else { return nil }
  }
}
