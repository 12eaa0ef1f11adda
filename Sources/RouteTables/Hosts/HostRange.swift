/// The hosts that a type of whole hosts takes, as labels.
struct HostRange: Hashable, Sendable {
  /// The hosts of one label, which an address is.
  let label: RegularLanguage
  /// The IPv4 blocks among them, for the schemes under which a host of several numbers is no address by itself.
  let blocks: [AddressBlock]
  /// The last labels of the hosts of more labels: any stand in front of them.
  var suffixes: [[RegularLanguage]] = []

  /// Returns the labels of the IPv4 addresses that are written as one number or more, for schemes of which browsers do not know.
  ///
  /// `ssh://127.1/` leads to 127.0.0.1: programs read such a host with `inet_aton`.
  func numbers() throws(RouteTableError) -> [[RegularLanguage]] {
    // Where names are taken, too, a single number is one of them.
    suffixes.isEmpty ? try Self.numbers(of: blocks, from: 1) : Self.localNumbers
  }

  /// Those of `local-network`, the one type of many blocks: they are the same in every pattern.
  private static let localNumbers =
    (try? numbers(of: RouteType.localNetwork.hosts?.blocks ?? [], from: 2)) ?? []

  private static func numbers(
    of blocks: [AddressBlock], from least: Int
  ) throws(RouteTableError) -> [[RegularLanguage]] {
    var hosts: [[RegularLanguage]] = []
    for block in blocks {
      for count in least...4 { hosts.append(try block.numbers(count: count)) }
    }
    return hosts
  }
}

extension RegularLanguage {
  /// The single labels that are no name: addresses, in brackets those of versions that are to come, too.
  static let addressLabel: RegularLanguage = {
    let later = RegularLanguage(builtIn: #"\[v[a-z0-9\-._~!$&'()*+,;=:]*\]"#)
    guard let dotted = try? AddressBlock.ipv4.language, let all = try? dotted.union(.canonicalIPv6) else {
      return later
    }
    return (try? all.union(later)) ?? all
  }()

  /// The texts that are in either; throws `expressionTooLarge` beyond ``maximumStates``.
  func union(_ other: RegularLanguage) throws(RouteTableError) -> RegularLanguage {
    try combined(with: other) { $0 || $1 }
  }
}
