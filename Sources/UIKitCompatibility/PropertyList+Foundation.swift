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

  /// Creates a value from Foundation's types; `nil` for other types.
  init?(foundation value: Any) {
    switch value {
    case let text as String: self = .string(text)
    case let flag as Bool: self = .boolean(flag)
    case let number as Int: self = .integer(Int64(number))
    case let number as Double: self = .real(number)
    case let url as URL: self = .string(url.absoluteString)
    case let array as [Any]: self = .array(array.compactMap(PropertyList.init(foundation:)))
    case let dictionary as [String: Any]:
      self = .dictionary(dictionary.compactMapValues(PropertyList.init(foundation:)))
    default: return nil
    }
  }
}
