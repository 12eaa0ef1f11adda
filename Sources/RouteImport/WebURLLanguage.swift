// SPDX-License-Identifier: Apache-2.0
import RegularLanguages

/// The texts of web URLs as a parser of the WHATWG URL standard writes them, without user information.
enum WebURLLanguage {
  /// The characters of a host label.
  static let labelScalars = ScalarSet([0x2D...0x2D, 0x30...0x39, 0x5F...0x5F, 0x61...0x7A])
  /// The characters of a path segment.
  ///
  /// Percent-encoded ones are left out, because routes compare them decoded.
  static let segmentScalars = ScalarSet(
    of: "!$&'()*+,-.0123456789:;=@ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~")
  /// The characters of a query or fragment.
  static let queryScalars = ScalarSet(segmentScalars.ranges + ScalarSet(of: "/?").ranges)

  static let label = RegularExpression.repetition(.set(labelScalars), min: 1, max: nil)
  static let labels = RegularExpression.repetition(.sequence([label, .literal(".")]), min: 0, max: nil)
  static let digits = RegularExpression.repetition(.set(.digits), min: 1, max: nil)
  static let anyPort = RegularExpression.repetition(.sequence([.literal(":"), digits]), min: 0, max: 1)
  static let anySegments = RegularExpression.repetition(
    .set(ScalarSet(segmentScalars.ranges + ScalarSet(of: "/").ranges)), min: 0, max: nil)
  static let anyQuery = optional("?")
  static let anyFragment = optional("#")

  private static func optional(_ mark: String) -> RegularExpression {
    .repetition(
      .sequence([.literal(mark), .repetition(.set(queryScalars), min: 0, max: nil)]), min: 0, max: 1)
  }

  static let schemes = RegularExpression.choice([.literal("http://"), .literal("https://")])

  /// The hosts that are names.
  ///
  /// The last label begins with a letter, because a host that ends in a number is an address.
  private static let name = RegularExpression.sequence([
    labels, .set(ScalarSet([0x61...0x7A])), .repetition(.set(labelScalars), min: 0, max: nil),
  ])

  /// The hosts that are addresses.
  ///
  /// Of the addresses in brackets, only those that have no group 0 beside `::` are included.
  static let address: RegularExpression = {
    func digits(_ range: ClosedRange<UInt32>) -> RegularExpression { .set(ScalarSet([range])) }
    let byte = RegularExpression.choice([
      digits(0x30...0x39), .sequence([digits(0x31...0x39), digits(0x30...0x39)]),
      .sequence([.literal("1"), digits(0x30...0x39), digits(0x30...0x39)]),
      .sequence([.literal("2"), digits(0x30...0x34), digits(0x30...0x39)]),
      .sequence([.literal("25"), digits(0x30...0x35)]),
    ])
    let dot = RegularExpression.literal(".")
    let group = RegularExpression.sequence([
      .set(ScalarSet(of: "123456789abcdef")),
      .repetition(.set(ScalarSet(of: "0123456789abcdef")), min: 0, max: 3),
    ])
    let groups = RegularExpression.sequence([
      group, .repetition(.sequence([.literal(":"), group]), min: 0, max: nil),
    ])
    let some = RegularExpression.repetition(groups, min: 0, max: 1)
    return .choice([
      .sequence([byte, dot, byte, dot, byte, dot, byte]),
      .sequence([.literal("["), some, .literal("::"), some, .literal("]")]),
    ])
  }()

  static let names: RegularLanguage? = try? RegularLanguage(name)
  static let hosts: RegularLanguage? = try? RegularLanguage(.choice([name, address]))

  /// All web URLs.
  static let all: RegularLanguage? = try? RegularLanguage(
    .sequence([
      schemes, .choice([name, address]), anyPort, .literal("/"), anySegments, anyQuery, anyFragment,
    ]))

  /// The URLs of all other schemes, without characters that no URL contains.
  static let others: RegularLanguage? = {
    let letters: ClosedRange<UInt32> = 0x61...0x7A
    let name = RegularExpression.sequence([
      .set(ScalarSet([letters])),
      .repetition(.set(ScalarSet([letters] + ScalarSet(of: "0123456789+-.").ranges)), min: 0, max: nil),
    ])
    let rest = RegularExpression.repetition(
      .set(ScalarSet(queryScalars.ranges + ScalarSet(of: "#%[]").ranges)), min: 0, max: nil)
    let web = RegularExpression.choice([.literal("http"), .literal("https")])
    return try? RegularLanguage(.sequence([name, .literal(":"), rest])).subtracting(
      RegularLanguage(.sequence([web, .literal(":"), rest])))
  }()

  /// The languages of examples, those that are easiest to read first: hosts of letters and short plain paths, then with the query
  /// `?q=1`, then with other queries, with fragments, and all.
  static let examples: [RegularLanguage] = {
    let scalars = ScalarSet(of: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./=&")
    let query = RegularExpression.sequence([
      .literal("?"), .repetition(.set(scalars), min: 1, max: nil),
    ])
    let tails: [RegularExpression] = [
      .empty, .literal("?q=1"), query, .sequence([.repetition(query, min: 0, max: 1), anyFragment]),
    ]
    return tails.compactMap(plain) + [all].compactMap(\.self)
  }()

  /// Returns the web URLs with hosts of letters and plain paths, and with this text at the end.
  private static func plain(_ tail: RegularExpression) -> RegularLanguage? {
    try? RegularLanguage(
      .sequence([
        schemes,
        .repetition(
          .sequence([.repetition(.set(ScalarSet([0x61...0x7A])), min: 1, max: nil), .literal(".")]), min: 1,
          max: nil),
        .repetition(.set(ScalarSet([0x61...0x7A])), min: 2, max: nil), anyPort, .literal("/"),
        .repetition(
          .set(ScalarSet(of: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./")), min: 0,
          max: nil), tail,
      ]))
  }
}
