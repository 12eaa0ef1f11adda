// SPDX-License-Identifier: Apache-2.0
/// The numbers for edges of the trie and of its index that are not texts.
package enum EdgeMark {
  /// The end of a host; no text has this number as its key, because texts contain no control characters.
  static let hostEnd: UInt32 = 1
  package static let anyScheme: UInt32 = 0
  package static let anyPort: UInt32 = 0x2_0000
  package static let user: UInt32 = 0x10_0000

  /// Returns the mark for the kind of text after the scheme.
  package static func opening(_ opening: PatternVariant.Opening) -> UInt32 {
    switch opening {
    case .host: 1
    case .rootedPath: 2
    case .rootlessPath: 3
    case .joinedPath: 4
    }
  }

  /// Returns the mark for a port and for the presence of a user.
  package static func port(_ port: PatternVariant.Port, hasUser: Bool) -> UInt32 {
    let user = hasUser ? user : 0
    switch port {
    case .any: return anyPort | user
    // `nil` stands for the default port of the scheme, or no port.
    case .number(nil): return user
    case .number(let number?): return (UInt32(number) + 1) | user
    }
  }
}
