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

  /// All web URLs.
  ///
  /// The last label begins with a letter, because a host that ends in a number is an address.
  static let all: RegularLanguage? = try? RegularLanguage(
    .sequence([
      .choice([.literal("http://"), .literal("https://")]), labels, .set(ScalarSet([0x61...0x7A])),
      .repetition(.set(labelScalars), min: 0, max: nil), anyPort, .literal("/"), anySegments, anyQuery,
      anyFragment,
    ]))

  /// Web URLs that are easy to read, for examples: hosts below `example`, short plain paths.
  static let plain: RegularLanguage? = try? RegularLanguage(
    .sequence([
      .choice([.literal("http://"), .literal("https://")]),
      .repetition(
        .sequence([.repetition(.set(ScalarSet([0x61...0x7A])), min: 1, max: nil), .literal(".")]), min: 1,
        max: nil),
      .repetition(.set(ScalarSet([0x61...0x7A])), min: 2, max: nil), anyPort, .literal("/"),
      .repetition(
        .set(ScalarSet(of: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./")), min: 0,
        max: nil),
      .repetition(
        .sequence([
          .literal("?"),
          .repetition(
            .set(ScalarSet(of: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./=&")),
            min: 1, max: nil),
        ]), min: 0, max: 1),
      anyFragment,
    ]))
}
