// SPDX-License-Identifier: Apache-2.0
import CJansson

/// A JSON parser that uses Jansson, which preserves 64-bit integers and distinguishes `1` from `1.0`.
enum JSONReader {
  /// The maximum nesting, deeper than any message on the bus and shallow enough for the stack of any thread.
  private static let maximumDepth = 64

  /// Parses one JSON value; of a property list's limits only those of single values are checked.
  /// - Parameter leavingOutNulls: `true` to leave out the members of the outermost object that are `null`.
  static func read(
    _ text: some Collection<UInt8>, leavingOutNulls: Bool = false
  ) throws(MessageError) -> PropertyList {
    guard !text.isEmpty else { throw MessageError(.syntax("there is no text")) }
    let flags = Int(JSON_REJECT_DUPLICATES | JSON_DECODE_ANY)
    var failure = json_error_t()
    let root = Array(text).withUnsafeBytes { bytes in
      json_loadb(bytes.bindMemory(to: CChar.self).baseAddress, bytes.count, flags, &failure)
    }
    guard let root else { throw error(failure) }
    defer { json_decref(root) }
    if leavingOutNulls {
      for key in nullMembers(of: root) { json_object_del(root, key) }
    }
    return try value(root, depthLeft: maximumDepth)
  }

  private static func value(
    _ json: UnsafeMutablePointer<json_t>, depthLeft: Int
  ) throws(MessageError) -> PropertyList {
    switch json.pointee.type {
    case JSON_STRING: return .string(text(json_string_value(json), json_string_length(json)))
    case JSON_INTEGER: return .integer(Int64(json_integer_value(json)))
    case JSON_REAL: return .real(json_real_value(json))
    case JSON_TRUE: return .boolean(true)
    case JSON_FALSE: return .boolean(false)
    case JSON_ARRAY: return .array(try array(json, depthLeft: depthLeft))
    case JSON_OBJECT: return try object(json, depthLeft: depthLeft)
    default: throw MessageError(.null)
    }
  }

  private static func nullMembers(of json: UnsafeMutablePointer<json_t>) -> [String] {
    var (keys, iterator) = ([String](), json_object_iter(json))
    while let entry = iterator {
      if json_object_iter_value(entry)?.pointee.type == JSON_NULL {
        keys.append(text(json_object_iter_key(entry), json_object_iter_key_len(entry)))
      }
      iterator = json_object_iter_next(json, entry)
    }
    return keys
  }

  private static func array(
    _ json: UnsafeMutablePointer<json_t>, depthLeft: Int
  ) throws(MessageError) -> [PropertyList] {
    guard depthLeft > 0 else { throw MessageError(.tooDeep(limit: maximumDepth)) }
    var elements: [PropertyList] = []
    for index in 0..<json_array_size(json) {
      guard let element = json_array_get(json, index) else { continue }
      do { elements.append(try value(element, depthLeft: depthLeft - 1)) } catch {
        throw error.inside("[\(index)]")
      }
    }
    return elements
  }

  private static func object(
    _ json: UnsafeMutablePointer<json_t>, depthLeft: Int
  ) throws(MessageError) -> PropertyList {
    guard depthLeft > 0 else { throw MessageError(.tooDeep(limit: maximumDepth)) }
    var entries: [String: PropertyList] = [:]
    var iterator = json_object_iter(json)
    while let entry = iterator {
      let key = text(json_object_iter_key(entry), json_object_iter_key_len(entry))
      guard let member = json_object_iter_value(entry) else { break }
      do throws(MessageError) {
        let value = try value(member, depthLeft: depthLeft - 1)
        // Jansson compares bytes, but Swift characters: a composed and a decomposed é are one key in Swift.
        guard entries.updateValue(value, forKey: key) == nil else { throw MessageError(.duplicateKey) }
      } catch { throw error.inside(key) }
      iterator = json_object_iter_next(json, entry)
    }
    guard let encoded = entries[PropertyList.dataKey] else { return .dictionary(entries) }
    guard entries.count == 1, let text = encoded.string, let bytes = Base64.decode(text) else {
      throw MessageError(.badData)
    }
    return .data(bytes)
  }

  private static func text(_ bytes: UnsafePointer<CChar>?, _ count: Int) -> String {
    String(decoding: UnsafeRawBufferPointer(start: bytes, count: count), as: UTF8.self)
  }

  private static func error(_ failure: json_error_t) -> MessageError {
    let said = withUnsafeBytes(of: failure.text) { text in
      String(decoding: text.prefix { $0 != 0 }, as: UTF8.self)
    }
    let reason: MessageError.Reason =
      switch withUnsafePointer(to: failure, json_error_code) {
      case json_error_numeric_overflow: said.hasPrefix("real") ? .notFinite : .integerOutOfRange
      case json_error_null_character, json_error_null_byte_in_key: .nulCharacter
      case json_error_stack_overflow: .tooDeep(limit: maximumDepth)
      case json_error_invalid_utf8: .invalidText(said)
      // Jansson has no error code for half of a surrogate pair.
      case _ where said.hasPrefix("invalid Unicode"): .invalidText(said)
      case json_error_duplicate_key: .duplicateKey
      default: .syntax(said)
      }
    let position =
      failure.line > 0 ? MessageError.Position(line: Int(failure.line), column: Int(failure.column)) : nil
    return MessageError(reason, position: position)
  }
}
