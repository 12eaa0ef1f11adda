// SPDX-License-Identifier: Apache-2.0
/// The activation tokens that requests and programs have had, so that each token counts as one user activation.
///
/// A program inherits the token of its start in its environment, and so does every program that it starts later. The
/// token of a terminal would otherwise count as a click for each link that a script opens in it.
///
/// ```swift
/// tokens.consume("fresh")   // true: the user clicked a link
/// tokens.consume("fresh")   // false: the token was inherited
/// ```
public struct ActivationTokens: Sendable {
  /// The number of the latest tokens that are certainly remembered.
  static let capacity = 10_000

  // The elements are hashes with the seed of the process, so that the memory of the broker does not reveal tokens.
  private var newer: Set<Int> = []
  private var older: Set<Int> = []

  /// Creates the memory without tokens.
  public init() {}

  /// Returns whether `token` is new, and records it.
  public mutating func consume(_ token: String) -> Bool {
    let isNew = !newer.contains(token.hashValue) && !older.contains(token.hashValue)
    record(token)
    return isNew
  }

  /// Records a token that a program gets, so that it does not count if the program sends it.
  public mutating func record(_ token: String) {
    if newer.count >= Self.capacity { (newer, older) = ([], newer) }
    newer.insert(token.hashValue)
  }
}
