// SPDX-License-Identifier: Apache-2.0
import Freedesktop

/// The name of something that is stored for an application: a region, a central, a peripheral or a notification.
///
/// It is compared by bytes, as the tables do: equal strings of Swift may have different normal forms of Unicode.
struct MonitoredKey: Sendable {
  let application: String
  let identifier: String
}

extension MonitoredKey: Hashable {
  static func == (left: Self, right: Self) -> Bool {
    left.application.isSpelt(like: right.application) && left.identifier.isSpelt(like: right.identifier)
  }

  func hash(into hasher: inout Hasher) {
    for var text in [application, identifier] {
      text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
      // No text contains this byte.
      hasher.combine(UInt8.max)
    }
  }
}

extension MonitoredKey: Comparable {
  static func < (left: Self, right: Self) -> Bool {
    left.application.isSpelt(like: right.application)
      ? left.identifier.utf8.lexicographicallyPrecedes(right.identifier.utf8)
      : left.application.utf8.lexicographicallyPrecedes(right.application.utf8)
  }
}

extension Sequence<MonitoredKey> {
  /// Returns the keys of an application with these identifiers; `nil` selects all identifiers.
  func of(_ application: String, named identifiers: [String]?) -> [MonitoredKey] {
    guard let identifiers else { return filter { $0.application.isSpelt(like: application) } }
    let wanted = Set(identifiers.map { MonitoredKey(application: application, identifier: $0) })
    return filter(wanted.contains)
  }
}
