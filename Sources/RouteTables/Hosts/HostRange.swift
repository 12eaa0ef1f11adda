// SPDX-License-Identifier: Apache-2.0
import RegularLanguages

/// The hosts that a type of whole hosts accepts, as languages of labels.
package struct HostRange: Hashable, Sendable {
  /// The accepted hosts that are a single label; an address is one label.
  let label: RegularLanguage
  /// The accepted IPv4 blocks, for schemes under which an address may be written as several numbers.
  let blocks: [AddressBlock]
  /// The last labels of the accepted hosts with several labels; any labels may precede them.
  var suffixes: [[RegularLanguage]] = []

  /// Returns the labels of the accepted IPv4 addresses in notations of `inet_aton`, for schemes that browsers do not know.
  ///
  /// For example, programs read the host in `ssh://127.1/` as 127.0.0.1.
  func numbers() throws(RegularLanguageError) -> [[RegularLanguage]] {
    // A range with suffixes accepts every single label, so a single number needs no variant of its own.
    suffixes.isEmpty ? try Self.numbers(of: blocks, from: 1) : Self.localNumbers
  }

  /// The labels for `local-network`, computed once because it has many blocks and is the same in every pattern.
  private static let localNumbers =
    (try? numbers(of: RouteType.localNetwork.hosts?.blocks ?? [], from: 2)) ?? []

  private static func numbers(
    of blocks: [AddressBlock], from least: Int
  ) throws(RegularLanguageError) -> [[RegularLanguage]] {
    var hosts: [[RegularLanguage]] = []
    for block in blocks {
      for count in least...4 { hosts.append(try block.numbers(count: count)) }
    }
    return hosts
  }
}

extension RegularLanguage {
  /// The single labels that are addresses instead of names.
  static let addressLabel = (try? AddressBlock.ipv4.language.union(.canonicalIPv6)) ?? .canonicalIPv6
}
