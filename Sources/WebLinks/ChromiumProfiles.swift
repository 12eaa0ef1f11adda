// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import CJansson

/// The profiles of Chromium and its derivatives.
///
/// `Local State` in the data directory is a JSON object, whose member `profile` has `info_cache`, an object with the attributes of each
/// profile by the name of its directory, `profiles_order`, and `last_used`
/// (`chrome/browser/profiles/profile_attributes_storage.cc`, `profile_attributes_entry.cc` and `chrome/common/pref_names.h`).
/// A URL without `--profile-directory` opens in the profile that was used last.
struct ChromiumProfiles {
  let family: BrowserFamily
  /// The data directory.
  let directory: String

  /// Some extensions make the file several megabytes large.
  private static let largestFile = 32 << 20

  /// Reads the list.
  func read(_ files: inout ProfileFiles) throws(ProfileError) -> [BrowserProfile] {
    let path = "\(directory)/Local State"
    guard let bytes = try files.bytes(at: path, limit: Self.largestFile) else { return [] }
    var failure = json_error_t()
    let root = bytes.withUnsafeBytes { bytes in
      json_loadb(bytes.bindMemory(to: CChar.self).baseAddress, bytes.count, 0, &failure)
    }
    guard let root else {
      let cause = withUnsafeBytes(of: failure.text) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      throw ProfileError(.malformed("it is not valid JSON (line \(failure.line): \(cause))"), at: path)
    }
    defer { json_decref(root) }
    guard let profile = Self.object("profile", of: root), let cache = Self.object("info_cache", of: profile)
    else { return [] }
    guard json_object_size(cache) <= ProfileFiles.maximumCount else {
      throw ProfileError(.tooMany(limit: ProfileFiles.maximumCount), at: path)
    }
    let lastUsed = Self.text("last_used", of: profile) ?? "Default"
    let order = Self.texts("profiles_order", of: profile)
    return Self.keys(of: cache).filter(Self.isDirectoryName).sorted {
      (order.firstIndex(of: $0) ?? .max, $0) < (order.firstIndex(of: $1) ?? .max, $1)
    }.compactMap { key in
      guard let attributes = Self.object(key, of: cache), !Self.isTrue("is_ephemeral", of: attributes),
        !Self.isTrue("is_omitted_from_profile_list", of: attributes)
      else { return nil }
      let name = Self.text("name", of: attributes) ?? ""
      return BrowserProfile(
        name: ProfileFiles.shown(name.isEmpty ? key : name), key: key,
        arguments: (try? family.arguments(ofProfileNamed: key)) ?? [], isDefault: key == lastUsed)
    }
  }

  /// Chromium accepts only the name of a subdirectory.
  private static func isDirectoryName(_ name: String) -> Bool {
    ProfileFiles.isKey(name) && name != "." && name != ".." && !name.utf8.contains(UInt8(ascii: "/"))
  }

  private static func object(
    _ key: String, of json: UnsafeMutablePointer<json_t>
  ) -> UnsafeMutablePointer<json_t>? {
    guard let value = json_object_get(json, key), value.pointee.type == JSON_OBJECT else { return nil }
    return value
  }

  private static func text(_ key: String, of json: UnsafeMutablePointer<json_t>) -> String? {
    json_object_get(json, key).flatMap(text)
  }

  private static func text(_ json: UnsafeMutablePointer<json_t>) -> String? {
    guard json.pointee.type == JSON_STRING, let text = json_string_value(json) else { return nil }
    return String(
      decoding: UnsafeRawBufferPointer(start: text, count: json_string_length(json)), as: UTF8.self)
  }

  private static func texts(_ key: String, of json: UnsafeMutablePointer<json_t>) -> [String] {
    guard let list = json_object_get(json, key), list.pointee.type == JSON_ARRAY else { return [] }
    // Only profiles are ordered, and a hostile list is not searched for each of them.
    return (0..<min(json_array_size(list), ProfileFiles.maximumCount)).compactMap {
      json_array_get(list, $0).flatMap(text)
    }
  }

  private static func isTrue(_ key: String, of json: UnsafeMutablePointer<json_t>) -> Bool {
    json_object_get(json, key)?.pointee.type == JSON_TRUE
  }

  private static func keys(of json: UnsafeMutablePointer<json_t>) -> [String] {
    var (keys, iterator) = ([String](), json_object_iter(json))
    while let entry = iterator {
      if let key = json_object_iter_key(entry) {
        keys.append(
          String(
            decoding: UnsafeRawBufferPointer(start: key, count: json_object_iter_key_len(entry)),
            as: UTF8.self))
      }
      iterator = json_object_iter_next(json, entry)
    }
    return keys
  }
}
