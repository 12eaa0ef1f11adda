// SPDX-License-Identifier: Apache-2.0
import RegularLanguages

/// The types of whole hosts, which compare addresses by value.
extension RouteType {
  /// Any IPv4 address.
  ///
  /// An IPv4-mapped IPv6 address such as `[::ffff:a00:1]` is the same address as its IPv4 form. RFC 4291, section 2.5.5.2.
  public static let ipv4 = builtInHost("ipv4") { () throws(RegularLanguageError) in try range(of: .ipv4) }

  /// Any IPv6 address in brackets, except the IPv4-mapped ones, which `ipv4` accepts.
  public static let ipv6 = builtInHost("ipv6") { () throws(RegularLanguageError) in
    try range(of: AddressBlock([UInt8](repeating: 0, count: 16), length: 0))
  }

  /// This machine and its private networks, by address and by name.
  ///
  /// - IPv4: 0.0.0.0/8 and 127.0.0.0/8, 10.0.0.0/8, 172.16.0.0/12 and 192.168.0.0/16, 169.254.0.0/16, and 100.64.0.0/10.
  /// - IPv6: `::` and `::1`, fe80::/10, fc00::/7, fec0::/10, and 64:ff9b:1::/48.
  /// - The IPv6 addresses that contain one of these IPv4 addresses: ::/96, ::ffff:0:0/96, ::ffff:0:0:0/96, 64:ff9b::/96 and
  ///   2002::/16.
  /// - Every name of one label, including `localhost` and the machine's own name, and the names under `localhost`, `local`,
  ///   `localdomain`, `localdomain4`, `localdomain6`, `internal`, `intranet`, `private`, `corp`, `home`, `lan` and `home.arpa`.
  ///
  /// RFC 6890; RFC 6761; RFC 6762, appendix G; RFC 8375.
  public static let localNetwork = builtInHost("local-network") { () throws(RegularLanguageError) in
    try localHosts()
  }

  /// The types that a capture of a whole host may name in addition to ``builtIn``; each `cidr(…)` is another one.
  public static let hosts: [RouteType] = [.ipv4, .ipv6, .localNetwork]

  /// The names of ``hosts``, and of the type that has a block as its argument.
  static let hostNames = ["ipv4", "ipv6", "local-network", "cidr"]

  /// Returns the type of the addresses in a block, such as `10.0.0.0/8` or `fd00::/8`.
  ///
  /// ```swift
  /// let lan = try RouteType.cidr("10.0.0.0/8")
  /// lan.matches("10.1.2.3")          // true
  /// lan.matches("[::ffff:a01:203]")  // true
  /// ```
  ///
  /// - Throws: ``RouteTableError`` if the text is not a block, or if the address has bits set after its prefix.
  public static func cidr(_ block: String) throws(RouteTableError) -> RouteType {
    let block = try AddressBlock(block)
    do { return RouteType("cidr(\(block))", hosts: try range(of: block)) } catch {
      throw RouteTableError(error)
    }
  }

  /// Returns the type of whole hosts with this name; `nil` if there is none, or if the type needs a block.
  static func host(named name: String) -> RouteType? {
    switch name {
    case "ipv4": .ipv4
    case "ipv6": .ipv6
    case "local-network": .localNetwork
    default: nil
    }
  }

  private init(_ name: String, hosts: HostRange) {
    self.init(name, language: hosts.text, conversion: .text, hosts: hosts)
  }

  /// Creates a type whose definition is part of this module; the tests evaluate each of them.
  private static func builtInHost(
    _ name: String, _ range: () throws(RegularLanguageError) -> HostRange
  ) -> RouteType {
    RouteType(name, hosts: (try? range()) ?? HostRange(label: .none, blocks: []))
  }

  private static func range(of block: AddressBlock) throws(RegularLanguageError) -> HostRange {
    guard block.isIPv4 else {
      return HostRange(label: try block.language.subtracting(AddressBlock.mapped.language), blocks: [])
    }
    let mapped = block.embedded(after: Array(AddressBlock.mapped.bytes.prefix(12)))
    return HostRange(label: try block.language.union(mapped.language), blocks: [block])
  }
}

extension RouteType {
  private static func localHosts() throws(RegularLanguageError) -> HostRange {
    let zeros = [UInt8](repeating: 0, count: 16)
    let blocks = [
      AddressBlock([0, 0, 0, 0], length: 8), AddressBlock([10, 0, 0, 0], length: 8),
      AddressBlock([100, 64, 0, 0], length: 10), AddressBlock([127, 0, 0, 0], length: 8),
      AddressBlock([169, 254, 0, 0], length: 16), AddressBlock([172, 16, 0, 0], length: 12),
      AddressBlock([192, 168, 0, 0], length: 16),
    ]
    // IPv4-compatible, IPv4-mapped, IPv4-translated, NAT64 and 6to4 addresses.
    let holders: [[UInt8]] = [
      Array(zeros.prefix(12)), Array(AddressBlock.mapped.bytes.prefix(12)),
      [0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 0, 0], [0, 0x64, 0xFF, 0x9B] + zeros.prefix(8), [0x20, 0x02],
    ]
    var label = try AddressBlock.language(of: blocks)
    for holder in holders {
      label = try label.union(AddressBlock.language(of: blocks.map { $0.embedded(after: holder) }))
    }
    // The blocks fc00::/7, fe80::/10 and fec0::/10.
    let unique = AddressBlock([0xFC] + zeros.dropFirst(), length: 7)
    label = try label.union(AddressBlock.language(of: [unique], orBeginningWith: 0xFE80...0xFEFF))
    label = try label.union(
      AddressBlock([0, 0x64, 0xFF, 0x9B, 0, 1] + zeros.dropFirst(6), length: 48).language)
    label = try label.union(.someLabel)
    let under = try RegularLanguage(anyOf: [
      "localhost", "local", "localdomain", "localdomain4", "localdomain6", "internal", "intranet", "private",
      "corp", "home",
      "lan",
    ])
    let suffixes = [[under], [try RegularLanguage(anyOf: ["home"]), try RegularLanguage(anyOf: ["arpa"])]]
    return HostRange(label: label, blocks: blocks, suffixes: suffixes)
  }
}

extension HostRange {
  /// The accepted hosts as a language of complete texts.
  fileprivate var text: RegularLanguage {
    guard !suffixes.isEmpty else { return label }
    let dot = RegularExpression.literal(".")
    let names = suffixes.map { suffix in
      RegularExpression.sequence(
        [.repetition(.sequence([.language(.someLabel), dot]), min: 1, max: nil)]
          + suffix.map { [.language($0)] }.joined(separator: [dot]))
    }
    let all = try? RegularLanguage(.choice(names))
    return (try? all?.union(label)) ?? label
  }
}
