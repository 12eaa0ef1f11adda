// SPDX-License-Identifier: Apache-2.0
import RegularLanguages

extension RouteType {
  /// Any text; in the path and the host, any non-empty text.
  public static let string = builtIn("string", ".*")
  /// A signed 64-bit integer: `-?(0|[1-9][0-9]*)`, no `-0`, no `+`.
  public static let int = builtIn(
    "int", "0|-?(?:\(positive(upTo: "9223372036854775807")))|-9223372036854775808", conversion: .signed)
  /// An unsigned 64-bit integer: `0|[1-9][0-9]*`.
  public static let uint = builtIn(
    "uint", "0|\(positive(upTo: "18446744073709551615"))", conversion: .unsigned)
  /// `true` or `false`.
  public static let bool = builtIn("bool", "true|false", conversion: .boolean)
  /// Hexadecimal digits, one or more, in either case.
  public static let hex = builtIn("hex", "[0-9A-Fa-f]+")
  /// 8-4-4-4-12 hexadecimal digits, in either case.
  ///
  /// RFC 9562, section 4.
  public static let uuid = builtIn("uuid", "[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}")
  /// An existing day of the Gregorian calendar, such as `2024-02-29`, in the years 0001 to 9999.
  ///
  /// RFC 3339, `full-date`.
  public static let date = builtIn("date", realDays)
  /// A duration in days, hours, minutes and seconds, such as `1d2h3m4s`.
  ///
  /// Each unit occurs at most once and in this order, and at least one occurs. Numbers have at most nine digits and no leading
  /// zeros.
  public static let duration = builtIn("duration", durations)
  /// ASCII lower-case letters and digits, with single hyphens between them.
  public static let slug = builtIn("slug", "[a-z0-9]+(?:-[a-z0-9]+)*")
  /// An email address that `<input type=email>` accepts.
  ///
  /// HTML Standard, section 4.10.5.1.5.
  public static let email = builtIn(
    "email", #"[a-zA-Z0-9.!#$%&'*+/=?\^_`{|}~\-]+@\#(domainLabel)(?:\.\#(domainLabel))*"#)

  /// The types that any capture may name; a capture of a whole host may also name one of ``hosts``.
  public static let builtIn: [RouteType] = [
    .string, .int, .uint, .bool, .hex, .uuid, .date, .duration, .slug, .email,
  ]

  private static let named = Dictionary(uniqueKeysWithValues: builtIn.map { ($0.name, $0) })

  /// Returns the built-in type with this name, or `nil` if there is none.
  package static func builtIn(named name: String) -> RouteType? { named[name] ?? host(named: name) }

  private static func builtIn(
    _ name: String, _ expression: String, conversion: Conversion = .text
  ) -> RouteType {
    RouteType(name, language: RegularLanguage(builtIn: expression), conversion: conversion)
  }

  /// Returns a regular expression for the decimal numbers from 1 up to `greatest`.
  private static func positive(upTo greatest: String) -> String {
    let digits = greatest.utf8.map { Int($0) - 0x30 }
    var choices = ["[1-9][0-9]{0,\(digits.count - 2)}"]
    for (index, digit) in digits.enumerated() {
      let (low, rest) = (index == 0 ? 1 : 0, digits.count - index - 1)
      guard digit > low else { continue }
      choices.append("\(greatest.prefix(index))[\(low)-\(digit - 1)][0-9]{\(rest)}")
    }
    return (choices + [greatest]).joined(separator: "|")
  }

  private static let realDays: String = {
    let year = "(?:000[1-9]|00[1-9][0-9]|0[1-9][0-9]{2}|[1-9][0-9]{3})"
    let fours = "(?:0[48]|[2468][048]|[13579][26])"
    let leap = "(?:[0-9]{2}\(fours)|\(fours)00)"
    let day28 = "(?:0[1-9]|1[0-9]|2[0-8])"
    let long = "(?:0[13578]|1[02])-(?:29|3[01])"
    return "\(year)-(?:(?:0[1-9]|1[0-2])-\(day28)|(?:0[469]|11)-(?:29|30)|\(long)|(?:0[13578]|1[02])-30)"
      + "|\(leap)-02-29"
  }()

  private static let durations: String = {
    func part(_ unit: String) -> String { "(?:0|[1-9][0-9]{0,8})\(unit)" }
    let units = ["d", "h", "m", "s"]
    // Each alternative has a different first unit, because at least one unit must occur.
    return units.indices.map { first in
      part(units[first]) + units[(first + 1)...].map { "(?:\(part($0)))?" }.joined()
    }.joined(separator: "|")
  }()

  private static let domainLabel = "[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?"
}
