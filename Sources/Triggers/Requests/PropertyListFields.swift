// SPDX-License-Identifier: Apache-2.0
import BusInterfaces

/// The entries of a dictionary from a caller, which are read by key; unknown keys are ignored.
struct PropertyListFields {
  private let entries: [String: PropertyList]
  /// The path of the dictionary in the message, such as `content`; empty for the message itself.
  private let path: String

  /// Reads a dictionary at `path`.
  init(_ value: PropertyList, at path: String = "") throws(MessageError) {
    guard let entries = value.dictionary else {
      throw MessageError(.wrongType(found: "another value", expected: "a dictionary (a{sv})"), at: path)
    }
    self.entries = entries
    self.path = path
  }

  private func path(of key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }

  func error(_ key: String, _ allowed: String) -> MessageError {
    MessageError(.wrongValue(allowed: allowed), at: path(of: key))
  }

  private func wrongType(_ key: String, _ expected: String) -> MessageError {
    MessageError(.wrongType(found: "another value", expected: expected), at: path(of: key))
  }

  func missing(_ key: String) -> MessageError { MessageError(.missing, at: path(of: key)) }

  /// Reads a text that is shown: at most 4096 bytes, without control characters other than line breaks and tabs.
  ///
  /// An empty text counts as absent, because applications often pass one for no subtitle.
  func shownText(_ key: String, lines: Bool = false) throws(MessageError) -> String? {
    guard let value = entries[key] else { return nil }
    guard let text = value.string else { throw wrongType(key, "a string (s)") }
    guard text.utf8.count <= NotificationLimits.text,
      text.unicodeScalars.allSatisfy({
        $0.properties.generalCategory != .control || lines && ($0 == "\n" || $0 == "\t")
      })
    else {
      throw error(key, "at most \(NotificationLimits.text) bytes without control characters")
    }
    return text.isEmpty ? nil : text
  }

  /// Reads an identifier: 1 to 256 bytes without control characters.
  func identifier(_ key: String) throws(MessageError) -> String? {
    guard let value = entries[key] else { return nil }
    guard let text = value.string else { throw wrongType(key, "a string (s)") }
    guard !text.isEmpty, text.utf8.count <= NotificationLimits.identifier,
      text.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
    else { throw error(key, "1 to \(NotificationLimits.identifier) bytes without control characters") }
    return text
  }

  /// Reads an identifier that must be present.
  func requiredIdentifier(_ key: String = "identifier") throws(MessageError) -> String {
    guard let text = try identifier(key) else { throw missing(key) }
    return text
  }

  /// Reads a Boolean value; by default `false` if it is absent.
  func flag(_ key: String, default absent: Bool = false) throws(MessageError) -> Bool {
    guard let value = entries[key] else { return absent }
    guard let flag = value.boolean else { throw wrongType(key, "a boolean (b)") }
    return flag
  }

  /// Reads an integer in `range`.
  func integer(_ key: String, _ range: ClosedRange<Int64>) throws(MessageError) -> Int64? {
    guard let value = entries[key] else { return nil }
    guard let number = value.integer else { throw wrongType(key, "an integer") }
    guard range.contains(number) else { throw error(key, "\(range.lowerBound) to \(range.upperBound)") }
    return number
  }

  /// Reads a real number, or an integer as one.
  func real(_ key: String) throws(MessageError) -> Double? {
    guard let value = entries[key] else { return nil }
    guard let number = value.real else { throw wrongType(key, "a number (d)") }
    return number
  }

  /// Reads an array of strings; empty if it is absent.
  func texts(_ key: String, limit: Int) throws(MessageError) -> [String] {
    guard let value = entries[key] else { return [] }
    guard let elements = value.array else { throw wrongType(key, "an array of strings (as)") }
    let texts = elements.compactMap(\.string)
    guard texts.count == elements.count else { throw wrongType(key, "an array of strings (as)") }
    guard texts.count <= limit else { throw error(key, "at most \(limit) elements") }
    return texts
  }

  /// Reads at most `limit` bytes.
  func data(_ key: String, limit: Int) throws(MessageError) -> [UInt8]? {
    guard let value = entries[key] else { return nil }
    // An empty array of a script has no type.
    guard let bytes = value.data ?? (value == [] ? [] : nil) else {
      throw wrongType(key, "an array of bytes (ay)")
    }
    guard bytes.count <= limit else { throw error(key, "at most \(limit) bytes") }
    return bytes
  }

  /// Reads a UUID of Bluetooth.
  func uuid(_ key: String) throws(MessageError) -> BluetoothUUID? {
    guard let value = entries[key] else { return nil }
    guard let text = value.string else { throw wrongType(key, "a string (s)") }
    guard let uuid = BluetoothUUID(text) else { throw error(key, BluetoothUUID.form) }
    return uuid
  }

  /// Reads a UUID of Bluetooth that must be present.
  func requiredUUID(_ key: String) throws(MessageError) -> BluetoothUUID {
    guard let uuid = try uuid(key) else { throw missing(key) }
    return uuid
  }

  /// Reads an array of UUIDs of Bluetooth; empty if it is absent.
  func uuids(_ key: String, limit: Int) throws(MessageError) -> Set<BluetoothUUID> {
    var uuids: Set<BluetoothUUID> = []
    for (index, text) in try texts(key, limit: limit).enumerated() {
      guard let uuid = BluetoothUUID(text) else { throw error("\(key)[\(index)]", BluetoothUUID.form) }
      uuids.insert(uuid)
    }
    return uuids
  }

  /// Reads a dictionary as it is.
  func dictionary(_ key: String) throws(MessageError) -> [String: PropertyList]? {
    guard let value = entries[key] else { return nil }
    guard let entries = value.dictionary else { throw wrongType(key, "a dictionary (a{sv})") }
    return entries
  }

  /// Reads the fields of a dictionary.
  func fields(_ key: String) throws(MessageError) -> PropertyListFields? {
    guard let value = entries[key] else { return nil }
    return try PropertyListFields(value, at: path(of: key))
  }

  /// Reads the fields of each dictionary in an array.
  func list(_ key: String) throws(MessageError) -> [PropertyListFields] {
    guard let value = entries[key] else { return [] }
    guard let elements = value.array else { throw wrongType(key, "an array of dictionaries (aa{sv})") }
    var list: [PropertyListFields] = []
    for (index, element) in elements.enumerated() {
      list.append(try PropertyListFields(element, at: "\(path(of: key))[\(index)]"))
    }
    return list
  }
}

extension [String: PropertyList] {
  /// Sets a text if there is one.
  mutating func set(_ key: String, _ text: String?) {
    if let text { self[key] = .string(text) }
  }

  /// Sets a Boolean value if it is `true`.
  mutating func set(_ key: String, _ flag: Bool) {
    if flag { self[key] = .boolean(true) }
  }
}
