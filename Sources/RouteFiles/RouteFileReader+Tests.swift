// SPDX-License-Identifier: Apache-2.0
internal import RouteTables

extension RouteFileReader {
  /// Reads `tests.yes`, URLs with their captures, `tests.no`, a list of URLs, and `tests.decide`, a list of decisions.
  mutating func readTests(_ members: [TomlMember], of route: String, owner: String) -> [RouteFileTest] {
    guard let value = members.first(where: { $0.key == "tests" })?.value else { return [] }
    guard case .table(let lists) = value.content else {
      report(
        .shape, at: value.location,
        "`tests` is \(value.kindName): write `tests.yes`, `tests.no` or `tests.decide`")
      return []
    }
    var tests: [RouteFileTest] = []
    for list in lists {
      if let refusal = RouteFileKeys.tests.refusal(of: list.key) {
        report(.shape, at: list.keyLocation, refusal)
        continue
      }
      switch list.key {
      case "yes": tests += readTaken(list.value, of: route, owner: owner)
      case "no": tests += readRefused(list.value, of: route, owner: owner)
      default: tests += readDecided(list.value, of: route, owner: owner)
      }
    }
    return tests
  }

  private mutating func readTaken(_ value: TomlValue, of route: String, owner: String) -> [RouteFileTest] {
    guard case .table(let urls) = value.content else {
      report(
        .shape, at: value.location,
        "`tests.yes` is \(value.kindName): write `{ \"URL\" = { capture = \"value\" } }`")
      return []
    }
    var tests: [RouteFileTest] = []
    for url in urls {
      guard case .table(let captures) = url.value.content else {
        report(
          .shape, at: url.value.location,
          "the captures are \(url.value.kindName): write `{ name = \"value\" }`")
        continue
      }
      var expectations: [RouteFileTest.Expectation] = []
      for capture in captures {
        guard let expected = testValue(capture.value) else { continue }
        expectations.append(
          RouteFileTest.Expectation(name: capture.key, value: expected, location: capture.value.location))
      }
      tests.append(
        RouteFileTest(
          route: route, owner: owner, url: url.key, location: url.keyLocation, claim: .mustMatch(expectations)
        ))
    }
    return tests
  }

  private mutating func readRefused(_ value: TomlValue, of route: String, owner: String) -> [RouteFileTest] {
    guard case .array(let urls) = value.content else {
      report(.shape, at: value.location, "`tests.no` is \(value.kindName): write a list of URLs")
      return []
    }
    var tests: [RouteFileTest] = []
    for url in urls {
      guard case .string(let text) = url.content else {
        report(.shape, at: url.location, "a URL must be a string, but this is \(url.kindName)")
        continue
      }
      tests.append(
        RouteFileTest(
          route: route, owner: owner, url: text, location: url.location, claim: .isNotTaken))
    }
    return tests
  }

  private mutating func testValue(_ value: TomlValue) -> RouteFileTest.Value? {
    switch value.content {
    case .string(let text): return .string(text)
    case .integer(let integer): return .integer(integer)
    case .boolean(let boolean): return .boolean(boolean)
    case .array(let elements):
      var texts: [String] = []
      for element in elements {
        guard case .string(let text) = element.content else {
          report(
            .shape, at: element.location,
            "a list in a test must contain strings, but this is \(element.kindName)"
          )
          return nil
        }
        texts.append(text)
      }
      return .strings(texts)
    case .table, .other:
      report(
        .shape, at: value.location,
        "a capture's value must be a string, an integer, a boolean or a list of strings, but this is \(value.kindName)"
      )
      return nil
    }
  }
}
