// SPDX-License-Identifier: Apache-2.0
@testable import RouteTablesTestSupport
import RegularLanguages
import Testing

@testable import RouteTables

@Suite struct RouteTypeTests {
  @Test(arguments: [
    ("bool", "true"), ("hex", "00fF"), ("uuid", "123e4567-E89B-12d3-a456-426614174000"),
    ("date", "2024-02-29"),
    ("date", "2000-02-29"), ("date", "0001-01-01"), ("date", "9999-12-31"), ("duration", "1d2h3m4s"),
    ("duration", "0s"),
    ("duration", "90m"), ("slug", "a-1-b"), ("email", "a.b+c@h.example"), ("string(2)", "é😀"),
    ("string(1,3)", "abc"),
    ("string(2,)", "ab"), ("int(2)", "-7"), ("a|b", "b"), ("/[a-z]{2}\\//", "ab%2F"), ("/(a|b)+/", "abba"),
    ("a%2Fb|c", "a%2Fb"),
  ])
  func `Values of a type match`(type: String, text: String) throws {
    #expect(try matches("/{x:\(type)}", "/" + text))
  }

  @Test(arguments: [
    ("bool", "True"), ("hex", ""), ("hex", "0x1"), ("uuid", "123e4567e89b12d3a456426614174000"),
    ("date", "2023-02-29"),
    ("date", "1900-02-29"), ("date", "2024-04-31"), ("date", "2024-13-01"), ("date", "2024-1-1"),
    ("date", "0000-01-01"),
    ("duration", "1s1m"), ("duration", ""), ("duration", "01s"), ("slug", "a--b"), ("slug", "A"),
    ("slug", "-a"),
    ("email", "a@"), ("email", "@h"), ("string(2)", "é"), ("string(1,3)", "abcd"), ("string(2,)", "a"),
    ("a|b", "c"),
    ("/[a-z]{2}/", "abc"),
  ])
  func `Other values do not match`(type: String, text: String) throws {
    #expect(try !matches("/{x:\(type)}", "/" + text))
  }

  /// Tests that exactly the real days are dates; 400 years contain all kinds of years.
  @Test func `A date is a day of the calendar`() {
    for year in 1800...2200 {
      let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
      let days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
      for month in [1, 2, 4, 12] {
        for day in [0, 1, 9, 28, 29, 30, 31, 32] {
          let text = "\(year)-\(month < 10 ? "0" : "")\(month)-\(day < 10 ? "0" : "")\(day)"
          #expect(RouteType.date.matches(text) == (day >= 1 && day <= days[month - 1]), "\(text)")
        }
      }
    }
  }

  /// The chart of `docs/routes.md`: the built-in types that each built-in type includes.
  static let inclusions: [String: Set<String>] = [
    "string": ["string", "int", "uint", "bool", "hex", "uuid", "date", "duration", "slug", "email"],
    "int": ["int"], "uint": ["uint"], "bool": ["bool"], "hex": ["hex", "uint"], "uuid": ["uuid"],
    "date": ["date"],
    "duration": ["duration"], "slug": ["slug", "uint", "bool", "date", "duration"], "email": ["email"],
  ]

  private static let samples: [String] = {
    var texts = [
      "", "0", "-0", "-7", "7", "007", "9223372036854775807", "9223372036854775808", "-9223372036854775808",
      "18446744073709551615", "18446744073709551616", "true", "false", "True", "ab", "AB", "xyz",
      "2024-02-29", "2023-02-29",
      "1d2h", "0s", "1s1m", "a-b", "a--b", "A-b", "a@h", "a.b@h.example", "@h", "é", "a b", "x_y",
      "123e4567-e89b-12d3-a456-426614174000", "123E4567-E89B-12D3-A456-426614174000", "00ff", "10d",
    ]
    // All texts of up to three of these characters.
    for first in "07aAg-@" {
      for second in "07aAg-@" { texts += ["\(first)\(second)"] + "07aAg-@".map { "\(first)\(second)\($0)" } }
    }
    return texts
  }()

  @Test func `The automaton agrees with an enumeration`() {
    for one in RouteType.builtIn {
      for other in RouteType.builtIn {
        let charted = Self.inclusions[other.name]?.contains(one.name) == true
        #expect(one.language.isSubset(of: other.language) == charted, "\(one) in \(other)")
        let counterexample = Self.samples.first { one.matches($0) && !other.matches($0) }
        #expect((counterexample == nil) == charted, "\(one) in \(other): \(counterexample ?? "")")
        let common = Self.samples.first { one.matches($0) && other.matches($0) }
        #expect(
          (one.language.relation(to: other.language) == .disjoint) == (common == nil), "\(one) \(other)")
      }
    }
  }

  @Test func `Integers of the type convert`() {
    for text in Self.samples {
      #expect(RouteType.int.matches(text) == (Int64(text).map { String($0) == text } ?? false), "\(text)")
      #expect(RouteType.uint.matches(text) == (UInt64(text).map { String($0) == text } ?? false), "\(text)")
    }
  }

  @Test(arguments: ["/(a/", "/a**/", "/[/", "/(?=a)/", "/\\1/", "/^a/", "/a{2,1}/", "/{/", "/*/"])
  func `An invalid expression is rejected`(expression: String) {
    let error = refusal { () throws(RouteTableError) in _ = try RoutePattern("/{x:\(expression)}") }
    #expect(error != nil)
  }

  @Test(arguments: ["/[ab]*a[ab]{12}/", "/a{1024}b/", "/(a|b|c){600}(d|e){600}/"])
  func `An automaton with too many states is a typed error`(expression: String) {
    let error = refusal { () throws(RouteTableError) in _ = try RoutePattern("/{x:\(expression)}") }
    #expect(error?.reason == .expressionTooLarge)
  }

  @Test func `A custom type declares its language`() throws {
    let sku = try RouteType("sku", matching: "[A-Z]{2}-[0-9]{4,8}")
    let pattern = try RoutePattern("shop:/item/{sku:sku}", types: [sku])
    var builder = RouteTableBuilder<Int>()
    let place = SourceLocation(file: "test", line: 1)
    try builder.add([pattern], id: "sku", action: 1, at: place)
    try builder.add([RoutePattern("shop:/item/{any}")], id: "any", action: 2, at: place)
    let table = try builder.build()
    #expect(try table.match("shop:/item/AB-1234")?["sku"] == "AB-1234")
    #expect(try table.match("shop:/item/AB-12")?.action == 2)
  }

  @Test func `A host label is any text that a host may contain`() {
    for byte in UInt8(1)..<128 {
      let isCapital = byte >= 0x41 && byte <= 0x5A
      let may = !byte.isForbiddenInHost && byte != UInt8(ascii: ".") && !isCapital
      #expect(RegularLanguage.hostLabel.contains([byte, byte]) == may, "\(byte)")
    }
    #expect(RegularLanguage.hostLabel.contains("bücher-é7"))
  }

  @Test func `A type in a host matches only text that hosts may contain`() throws {
    // No label has an `@`, a dot or an upper-case letter, so that these languages are equal for hosts.
    #expect(throws: RouteTableError.self) {
      try table(["https://{x:/[a-z@.A-Z]+/}.h/", "https://{x:/[a-z]+/}.h/"])
    }
    #expect(try matches("https://{x:/[A-Za-z]+/}.h/", "https://ABC.h/"))
    #expect(throws: RouteTableError.self) { try RoutePattern("https://{x:email}.h/") }
    #expect(throws: RouteTableError.self) { try RoutePattern("https://{x:/[A-Z]+/}.h/") }
  }
}
