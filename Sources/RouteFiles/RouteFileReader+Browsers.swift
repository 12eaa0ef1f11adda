// SPDX-License-Identifier: Apache-2.0
internal import RouteTables

extension RouteFileReader {
  private static let spelling = "`{ browser = \"firefox\", profile = \"Work\" }`"

  /// Reads `{ browser = "firefox", profile = "Work", private = true, new_window = true }`.
  mutating func readBrowser(_ value: TomlValue) -> BrowserTarget? {
    guard case .table(let written) = value.content else {
      report(.shape, at: value.location, "the browser is \(value.kindName): write \(Self.spelling)")
      return nil
    }
    // TOML files often have hyphens in their keys.
    let members = written.map { $0.key == "new-window" ? $0.renamed("new_window") : $0 }
    refuseUnknown(members, RouteFileKeys.browser)
    let isPrivate = readTruth(members.first { $0.key == "private" })
    let opensNewWindow = readTruth(members.first { $0.key == "new_window" })
    let profile = string("profile", of: members)
    let isProfileWritten = members.contains { $0.key == "profile" }
    guard let member = members.first(where: { $0.key == "browser" }) else {
      report(.shape, at: value.location, "the table has no `browser`: write \(Self.spelling)")
      return nil
    }
    guard let text = string("browser", of: members),
      let browser = application(text, "browser", at: member.value.location),
      !isProfileWritten || profile != nil
    else { return nil }
    return BrowserTarget(browser, profile: profile, isPrivate: isPrivate, opensNewWindow: opensNewWindow)
  }

  /// Reads the elements of `ask = [ … ]`: IDs of applications, and browsers.
  mutating func readChoices(_ elements: [TomlValue], of value: TomlValue) -> [RouteAction.Choice] {
    let isTable = elements.map { if case .table = $0.content { true } else { false } }
    guard isTable.contains(true) else {
      return texts(value, "an application's ID").compactMap { text in
        application(text.text, "ask", at: text.location).map { .application($0) }
      }
    }
    guard elements.count <= RouteLimits.arguments else {
      report(
        .shape, at: value.location,
        "the list has \(elements.count) entries, but the limit is \(RouteLimits.arguments)")
      return []
    }
    var choices: [RouteAction.Choice] = []
    for (element, isTable) in zip(elements, isTable) {
      if isTable {
        if let target = readBrowser(element) { choices.append(.browser(target)) }
      } else if let text = texts(element, "an application's ID or a browser").first,
        let id = application(text.text, "ask", at: text.location)
      {
        choices.append(.application(id))
      }
    }
    return choices
  }
}
