// SPDX-License-Identifier: Apache-2.0
import DBus

/// A decoder of typed values from an `a{sv}`, key by key; the remaining entries are in ``rest``.
struct DictionaryDecoder {
  /// The maximum length in bytes of a text other than a URL.
  static let maximumText = 4096

  /// The entries that were not decoded.
  private(set) var rest: [String: Variant]

  init(_ entries: [String: Variant]) { rest = entries }

  private mutating func take(_ key: MessageKey) -> Variant? {
    guard !rest.isEmpty, var value = rest.removeValue(forKey: key.rawValue) else { return nil }
    // Some callers wrap a value in more variants than `a{sv}` requires.
    while case .variant(let inner) = value { value = inner }
    return value
  }

  private func wrongType(_ key: MessageKey, value: Variant, expected: String) -> MessageError {
    MessageError(.wrongType(found: "of type \(value.signature)", expected: expected), at: key.rawValue)
  }

  private func wrongValue(_ key: MessageKey, _ allowed: String) -> MessageError {
    MessageError(.wrongValue(allowed: allowed), at: key.rawValue)
  }

  /// Decodes a text of any length and content.
  mutating func text(_ key: MessageKey) throws(MessageError) -> String? {
    guard let value = take(key) else { return nil }
    guard let text = value.string else { throw wrongType(key, value: value, expected: "a string (s)") }
    return text
  }

  /// Decodes a short text for users and logs, without control characters; it may be absent, but not empty.
  mutating func word(_ key: MessageKey) throws(MessageError) -> String? {
    guard let text = try text(key) else { return nil }
    guard !text.isEmpty, text.utf8.count <= DictionaryDecoder.maximumText,
      text.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
    else {
      throw wrongValue(
        key,
        "1 to \(DictionaryDecoder.maximumText) bytes without control characters; omit the key if there is no value"
      )
    }
    return text
  }

  /// Decodes a request ID, which becomes part of file names and environment variables.
  mutating func requestID() throws(MessageError) -> String? {
    guard let text = try text(.requestID) else { return nil }
    guard RequestID.isValid(text) else { throw wrongValue(.requestID, RequestID.rule) }
    return text
  }

  mutating func boolean(_ key: MessageKey) throws(MessageError) -> Bool? {
    guard let value = take(key) else { return nil }
    guard let truth = value.boolean else { throw wrongType(key, value: value, expected: "a boolean (b)") }
    return truth
  }

  /// Decodes an integer of any type within `range`.
  mutating func integer(
    _ key: MessageKey, in range: ClosedRange<Int64>, of unit: String, type: String
  ) throws(MessageError) -> Int64? {
    guard let value = take(key) else { return nil }
    guard let number = value.integer else {
      if case .uint64 = value { throw wrongValue(key, "\(range.lowerBound) to \(range.upperBound) \(unit)") }
      throw wrongType(key, value: value, expected: "an integer (\(type))")
    }
    guard range.contains(number) else {
      throw wrongValue(key, "\(range.lowerBound) to \(range.upperBound) \(unit)")
    }
    return number
  }

  /// Decodes one of the raw values of `Choice`.
  mutating func choice<Choice: RawRepresentable & CaseIterable>(
    _ key: MessageKey, of type: Choice.Type
  ) throws(MessageError) -> Choice? where Choice.RawValue == String {
    guard let text = try text(key) else { return nil }
    guard let choice = Choice(rawValue: text) else {
      throw wrongValue(key, "one of: " + Choice.allCases.map(\.rawValue).joined(separator: ", "))
    }
    return choice
  }

  mutating func propertyList(_ key: MessageKey) throws(MessageError) -> PropertyList? {
    guard let value = take(key) else { return nil }
    return try PropertyList(value, at: key.rawValue)
  }

  /// Decodes an array of texts: `as`, or `av` with strings, which JSON arrays become.
  mutating func texts(_ key: MessageKey) throws(MessageError) -> [String]? {
    guard let value = take(key) else { return nil }
    guard case .array(_, let elements) = value else {
      throw wrongType(key, value: value, expected: "an array of strings (as)")
    }
    var texts: [String] = []
    texts.reserveCapacity(elements.count)
    for (index, element) in elements.enumerated() {
      guard let text = element.unwrapped.string else {
        throw MessageError(
          .wrongType(found: "of type \(element.unwrapped.signature)", expected: "a string (s)"),
          at: "\(key.rawValue)[\(index)]")
      }
      texts.append(text)
    }
    return texts
  }

  /// Decodes a dictionary of texts, `a{sv}`.
  mutating func strings(_ key: MessageKey) throws(MessageError) -> [String: String]? {
    guard let value = take(key) else { return nil }
    guard let entries = value.entries else {
      throw wrongType(key, value: value, expected: "a dictionary of strings (a{sv})")
    }
    var texts: [String: String] = [:]
    for (name, value) in entries {
      guard let text = value.unwrapped.string else {
        throw MessageError(
          .wrongType(found: "of type \(value.unwrapped.signature)", expected: "a string (s)"),
          at: "\(key.rawValue).\(name)")
      }
      texts[name] = text
    }
    return texts
  }

  /// Decodes an array of dictionaries, `aa{sv}`.
  mutating func dictionaries(_ key: MessageKey) throws(MessageError) -> [[String: Variant]]? {
    guard let value = take(key) else { return nil }
    guard case .array(_, let elements) = value else {
      throw wrongType(key, value: value, expected: "an array of dictionaries (aa{sv})")
    }
    var dictionaries: [[String: Variant]] = []
    for element in elements {
      guard let entries = element.unwrapped.entries else {
        throw wrongType(key, value: element, expected: "a dictionary (a{sv})")
      }
      dictionaries.append(entries)
    }
    return dictionaries
  }
}

extension Variant {
  /// The value without any wrapping variants.
  fileprivate var unwrapped: Variant {
    var value = self
    while case .variant(let inner) = value { value = inner }
    return value
  }
}

extension [String: Variant] {
  /// The entries whose keys Usher does not define.
  var foreign: Self { isEmpty ? self : filter { MessageKey(rawValue: $0.key) == nil } }

  /// Returns these entries with reserved capacity for `count` more.
  func with(roomFor count: Int) -> Self {
    guard !isEmpty else { return Dictionary(minimumCapacity: count) }
    var entries = self
    entries.reserveCapacity(self.count + count)
    return entries
  }

  /// The value of `key`.
  subscript(key: MessageKey) -> Variant? { self[key.rawValue] }

  /// Sets `key` if there is a value.
  mutating func set(_ key: MessageKey, _ value: Variant?) {
    // A missing value is not removed, to save a lookup: a message has only a few of about twenty keys.
    if let value { self[key.rawValue] = value }
  }
}

extension DictionaryDecoder {
  /// Decodes `hops`; 0 if it is absent.
  mutating func hops() throws(MessageError) -> UInt32 {
    let hops = try integer(.hops, in: 0...Int64(UInt32.max), of: "hops", type: "u")
    return hops.map(UInt32.init(truncatingIfNeeded:)) ?? 0
  }

  /// Decodes the name of an error.
  mutating func errorName(_ key: MessageKey) throws(MessageError) -> ErrorName? {
    guard let text = try text(key) else { return nil }
    guard let name = ErrorName(text) else {
      throw MessageError(.wrongValue(allowed: "the name of a D-Bus error"), at: key.rawValue)
    }
    return name
  }
}
