// SPDX-License-Identifier: Apache-2.0
import BusInterfaces

extension PropertyList {
  /// The value with Foundation's types.
  var foundation: Any {
    if let text = string { return text }
    if let flag = boolean { return flag }
    if let number = integer { return Int(number) }
    if let array { return array.map(\.foundation) }
    if let dictionary { return dictionary.mapValues(\.foundation) }
    switch self {
    case .real(let number): return number
    case .data(let bytes): return Data(bytes)
    default: return json
    }
  }

  /// Creates a value from Foundation's types; `nil` for other types, also in arrays and dictionaries.
  ///
  /// A date becomes a text of RFC 3339, because property lists on the bus have no dates; a URL and a UUID become texts, too.
  init?(foundation value: Any) {
    switch value {
    case let text as String: self = .string(text)
    case let number as CGFloat: self.init(NSNumber(value: Double(number)), flag: nil)
    // The other numbers and Boolean values of Swift are bridged.
    case let number as NSNumber: self.init(number, flag: value as? Bool)
    case let url as URL: self = .string(url.absoluteString)
    case let uuid as UUID: self = .string(uuid.uuidString)
    case let data as Data: self = .data(Array(data))
    case let date as Date:
      let text = date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
      guard let time = DateTime(text) else { return nil }
      self = .date(time)
    case let array as [Any]:
      let elements = array.compactMap(PropertyList.init(foundation:))
      guard elements.count == array.count else { return nil }
      self = .array(elements)
    case let dictionary as [String: Any]:
      let entries = dictionary.compactMapValues(PropertyList.init(foundation:))
      guard entries.count == dictionary.count else { return nil }
      self = .dictionary(entries)
    default: return nil
    }
  }

  private init?(_ number: NSNumber, flag: Bool?) {
    switch (String(cString: number.objCType), flag) {
    // An Int8 has this type, too, but is no Bool; an NSNumber of 1 is a Bool, but has another type.
    case ("c", let flag?): self = .boolean(flag)
    case ("f", _), ("d", _):
      guard number.doubleValue.isFinite else { return nil }
      self = .real(number.doubleValue)
    default:
      guard let integer = Int64(exactly: number) else { return nil }
      self = .integer(integer)
    }
  }
}
