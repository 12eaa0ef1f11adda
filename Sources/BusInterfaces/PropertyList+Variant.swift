// SPDX-License-Identifier: Apache-2.0
public import DBus

extension PropertyList {
  /// The value on the bus: `s`, `x`, `d`, `b`, `ay`, `av` or `a{sv}`; a date is an `s`.
  public var variant: Variant {
    switch self {
    case .string(let text): .string(text)
    case .integer(let number): .int64(number)
    case .real(let number): .double(number)
    case .boolean(let truth): .boolean(truth)
    case .data(let bytes): .bytes(bytes)
    case .date(let date): .string(date.text)
    case .array(let elements): .array(of: "v", elements.map { .variant($0.variant) })
    case .dictionary(let entries): .dictionary(entries.mapValues(\.variant))
    }
  }

  /// Reads a value from the bus.
  ///
  /// Any integer type becomes an integer, any array an array, and `ay` data; a dictionary must have string keys.
  /// Object paths and signatures become text. Structures and file descriptors are not property lists.
  /// - Throws: the errors of ``validate(at:)``, `wrongType` and `integerOutOfRange`.
  public init(_ variant: Variant, at path: String = "") throws(MessageError) {
    do { self = try PropertyList.read(variant, depthLeft: PropertyList.maximumDepth) } catch {
      throw error.inside(path)
    }
    try validate(at: path)
  }

  private static func read(_ variant: Variant, depthLeft: Int) throws(MessageError) -> PropertyList {
    switch variant {
    case .string(let text): return .string(text)
    case .objectPath(let path): return .string(path.rawValue)
    case .signature(let signature): return .string(signature.rawValue)
    case .double(let number): return .real(number)
    case .boolean(let truth): return .boolean(truth)
    case .bytes(let bytes): return .data(bytes)
    case .variant(let inner): return try read(inner, depthLeft: depthLeft)
    case .byte, .int16, .uint16, .int32, .uint32, .int64, .uint64:
      guard let number = variant.integer else { throw MessageError(.integerOutOfRange) }
      return .integer(number)
    case .array(_, let elements):
      guard depthLeft > 0 else { throw MessageError(.tooDeep(limit: maximumDepth)) }
      var values: [PropertyList] = []
      values.reserveCapacity(elements.count)
      for (index, element) in elements.enumerated() {
        do { values.append(try read(element, depthLeft: depthLeft - 1)) } catch {
          throw error.inside("[\(index)]")
        }
      }
      return .array(values)
    case .dictionary("s", _, let entries):
      guard depthLeft > 0 else { throw MessageError(.tooDeep(limit: maximumDepth)) }
      var values: [String: PropertyList] = [:]
      for (key, element) in entries {
        guard case .string(let key) = key else { continue }
        do { values[key] = try read(element, depthLeft: depthLeft - 1) } catch { throw error.inside(key) }
      }
      return .dictionary(values)
    case .dictionary, .structure, .unixFD:
      throw MessageError(
        .wrongType(
          found: "of type \(variant.signature)",
          expected: "a property list: s, x, d, b, ay, an array, or a dictionary with string keys"))
    }
  }
}
