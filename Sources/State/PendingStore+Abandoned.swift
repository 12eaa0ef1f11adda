// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The stores of other buses that share the runtime directory.
extension PendingStore {
  /// Opens the other stores in the directory that no broker has open and whose bus has ended.
  ///
  /// The other ones keep their content; an older schema is migrated.
  ///
  /// - Parameters:
  ///   - session: The boot ID.
  ///   - unnamedBus: The address of the bus of a store that contains no address.
  ///   - hasEnded: Returns whether the bus at an address has ended.
  public func abandonedStores(
    session: String, unnamedBus: String, hasEnded: (String) -> Bool
  ) -> [PendingStore] {
    guard let slash = path.unicodeScalars.lastIndex(of: "/") else { return [] }
    let directory = String(path[..<slash])
    return Self.storeNames(in: directory).map { "\(directory)/\($0)" }.filter { $0 != path }
      .compactMap { other in
        do throws(StateError) {
          // A store that is opened loses the record that its last broker has exited in order.
          guard hasEnded(try Self.bus(ofStoreAt: other) ?? unnamedBus) else { return nil }
          return try PendingStore(at: other, session: session)
        } catch {
          return nil
        }
      }
  }

  /// Returns the address of the bus of a store; `nil` if the store contains none.
  private static func bus(ofStoreAt path: String) throws(StateError) -> String? {
    var bus: String?
    let database = try Database(at: path, .process, migrations)
    try database.query("SELECT value FROM setting WHERE name = 'bus'") {
      bus = String(decoding: $0.bytes(0), as: UTF8.self)
    }
    return bus
  }

  /// Removes the file and its companions, after which the store must not be used.
  public func discard() {
    for companion in StateFile.companions + [""] { unlink(path + companion) }
  }

  private static func storeNames(in directory: String) -> [String] {
    guard let stream = opendir(directory) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name.hasPrefix("pending"), name.hasSuffix(".sqlite") { names.append(name) }
    }
    return names.sorted()
  }
}
