import DBus

/// Takes typed values out of an `a{sv}`, key by key; what is left is passed on.
struct DictionaryDecoder {
  /// The longest text of a key that is not a URL, in bytes.
  static let maximumText = 4096

  /// What nobody took.
  private(set) var rest: [String: Variant]

  init(_ entries: [String: Variant]) { rest = entries }

  private mutating func take(_ key: MessageKey) -> Variant? {
    guard !rest.isEmpty, var value = rest.removeValue(forKey: key.rawValue) else { return nil }
    // Some callers wrap a value in one variant more than `a{sv}` asks for.
    while case .variant(let inner) = value { value = inner }
    return value
  }

  private func wrongType(_ key: MessageKey, _ value: Variant, _ expected: String) -> MessageError {
    MessageError(.wrongType(found: "of type \(value.signature)", expected: expected), at: key.rawValue)
  }

  private func wrongValue(_ key: MessageKey, _ allowed: String) -> MessageError {
    MessageError(.wrongValue(allowed: allowed), at: key.rawValue)
  }

  /// A text of any length and content.
  mutating func text(_ key: MessageKey) throws(MessageError) -> String? {
    guard let value = take(key) else { return nil }
    guard let text = value.string else { throw wrongType(key, value, "a string (s)") }
    return text
  }

  /// A short text for people and logs, without controls; absent is absent, never empty.
  mutating func word(_ key: MessageKey) throws(MessageError) -> String? {
    guard let text = try text(key) else { return nil }
    guard !text.isEmpty, text.utf8.count <= DictionaryDecoder.maximumText,
      text.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
    else {
      throw wrongValue(
        key,
        "1 to \(DictionaryDecoder.maximumText) bytes without control characters; leave the key out where there is none"
      )
    }
    return text
  }

  /// A request ID: it becomes part of file names and environment variables.
  mutating func requestID() throws(MessageError) -> String? {
    guard let text = try text(.requestID) else { return nil }
    guard RequestID.isValid(text) else { throw wrongValue(.requestID, RequestID.rule) }
    return text
  }

  mutating func boolean(_ key: MessageKey) throws(MessageError) -> Bool? {
    guard let value = take(key) else { return nil }
    guard let truth = value.boolean else { throw wrongType(key, value, "a boolean (b)") }
    return truth
  }

  /// A whole number of any integer type within `range`.
  mutating func integer(
    _ key: MessageKey, in range: ClosedRange<Int64>, of unit: String, type: String
  ) throws(MessageError) -> Int64? {
    guard let value = take(key) else { return nil }
    guard let number = value.integer else {
      if case .uint64 = value { throw wrongValue(key, "\(range.lowerBound) to \(range.upperBound) \(unit)") }
      throw wrongType(key, value, "an integer (\(type))")
    }
    guard range.contains(number) else {
      throw wrongValue(key, "\(range.lowerBound) to \(range.upperBound) \(unit)")
    }
    return number
  }

  /// One of the words of `Choice`.
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

  /// Texts in order; `as`, or as JSON has it, an array of strings.
  mutating func texts(_ key: MessageKey) throws(MessageError) -> [String]? {
    guard let value = take(key) else { return nil }
    guard case .array(_, let elements) = value else {
      throw wrongType(key, value, "an array of strings (as)")
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

  /// Dictionaries in order, `aa{sv}`.
  mutating func dictionaries(_ key: MessageKey) throws(MessageError) -> [[String: Variant]]? {
    guard let value = take(key) else { return nil }
    guard case .array(_, let elements) = value else {
      throw wrongType(key, value, "an array of dictionaries (aa{sv})")
    }
    var dictionaries: [[String: Variant]] = []
    for element in elements {
      guard let entries = element.unwrapped.entries else {
        throw wrongType(key, element, "a dictionary (a{sv})")
      }
      dictionaries.append(entries)
    }
    return dictionaries
  }
}

extension Variant {
  /// The value inside any number of variants.
  fileprivate var unwrapped: Variant {
    var value = self
    while case .variant(let inner) = value { value = inner }
    return value
  }
}

extension [String: Variant] {
  /// The entries whose keys are not Usher's own.
  var foreign: Self { isEmpty ? self : filter { MessageKey(rawValue: $0.key) == nil } }

  /// These entries, with room for some more.
  func with(roomFor count: Int) -> Self {
    guard !isEmpty else { return Dictionary(minimumCapacity: count) }
    var entries = self
    entries.reserveCapacity(self.count + count)
    return entries
  }

  /// The value of `key`.
  subscript(key: MessageKey) -> Variant? { self[key.rawValue] }

  /// Sets `key` where there is a value: absent is absent.
  mutating func set(_ key: MessageKey, _ value: Variant?) {
    // Of some twenty keys a message has a few; the others need not be looked for.
    if let value { self[key.rawValue] = value }
  }
}

extension DictionaryDecoder {
  /// The count of `hops`, 0 where nothing is said.
  mutating func hops() throws(MessageError) -> UInt32 {
    let hops = try integer(.hops, in: 0...Int64(UInt32.max), of: "hops", type: "u")
    return hops.map(UInt32.init(truncatingIfNeeded:)) ?? 0
  }

  /// The name of an error.
  mutating func errorName(_ key: MessageKey) throws(MessageError) -> ErrorName? {
    guard let text = try text(key) else { return nil }
    guard let name = ErrorName(text) else {
      throw MessageError(.wrongValue(allowed: "the name of a D-Bus error"), at: key.rawValue)
    }
    return name
  }
}
