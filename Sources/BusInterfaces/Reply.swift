// SPDX-License-Identifier: Apache-2.0
public import DBus

/// A target's reply to an envelope.
public struct Reply: Hashable, Sendable {
  /// `handled` b: whether the target handled the request.
  public var handled: Bool
  /// `value` v: the value for the caller.
  public var value: PropertyList?
  /// `error` s: the target's error as a sentence for users; the request was not handled then.
  public var error: String?
  /// `redelivered` b: whether this is the handler's second run after a crash had interrupted it; absent means `false`.
  public var isRedelivered = false
  /// Keys that Usher does not define, unchanged.
  public let others: [String: Variant]

  /// Creates a reply.
  public init(
    handled: Bool, value: PropertyList? = nil, error: String? = nil, others: [String: Variant] = [:]
  ) {
    self.handled = handled
    self.value = value
    self.error = error
    self.others = others.foreign
  }
}

extension Reply {
  /// The `a{sv}` on the bus.
  public var entries: [String: Variant] {
    var entries = others.with(roomFor: 2)
    entries.set(.handled, .boolean(handled))
    entries.set(.value, value?.variant)
    entries.set(.error, error.map(Variant.string))
    entries.set(.redelivered, isRedelivered ? .boolean(true) : nil)
    return entries
  }

  /// Reads the `a{sv}` of the bus.
  /// - Throws: ``MessageError`` with the key.
  public init(_ entries: [String: Variant]) throws(MessageError) {
    var fields = DictionaryDecoder(entries)
    guard let handled = try fields.boolean(.handled) else {
      throw MessageError(.missing, at: MessageKey.handled.rawValue)
    }
    let (value, error) = (try fields.propertyList(.value), try fields.text(.error))
    let isRedelivered = try fields.boolean(.redelivered) ?? false
    self.init(handled: handled, value: value, error: error, others: fields.rest)
    self.isRedelivered = isRedelivered
  }

  /// The reply as one line of JSON, with the keys of the bus.
  public var json: String { JSONText.line(entries) }

  /// Parses ``json``, as a program behind `usher listen` writes it.
  /// - Throws: ``MessageError``, with line and column if the text is not JSON.
  public init(json text: String) throws(MessageError) {
    try self.init(try [String: Variant](json: text))
  }
}
