// SPDX-License-Identifier: Apache-2.0
import RouteAnalysis
import RouteTables

extension DiffReport {
  /// The maximum number of classes that are printed for one route.
  private static let few = 5
  /// The maximum number of rows in a Markdown table.
  private static let rows = 100

  /// The changes as lines: each route with its location, followed by a line for each class.
  var lines: [StyledText] {
    var lines: [StyledText] = []
    for group in groups {
      let heading: StyledText =
        "\(group.route.id, as: .heading) \(group.cause.word) (\(group.route.location))"
      lines.append(heading.inOneLine)
      for change in group.changes.prefix(Self.few) {
        lines.append(StyledText("  \(sentence(of: change, group).plain)").inOneLine)
      }
      let left = group.changes.count - Self.few
      if left > 0 { lines.append("  and \(left) more; use --json to list all") }
    }
    for undecided in diff.undecided.prefix(Self.few) {
      lines.append(StyledText("undecided: \(sentence(of: undecided).plain)").inOneLine)
    }
    return lines
  }

  /// The changes as a Markdown table, for a pull request.
  var markdown: String {
    guard !diff.isEmpty else { return "No URL changes its route." }
    var lines: [String] = []
    if !diff.changes.isEmpty {
      lines = ["| route | URLs | before | now | example |", "|---|---|---|---|---|"]
      let changes = groups.flatMap { group in group.changes.map { ($0, group) } }
      for (change, group) in changes.prefix(Self.rows) {
        let cells: [AttributedText] = [
          "\(code: group.route.id), \(AttributedText(stringLiteral: group.cause.word))",
          urls(of: change, group),
          was(change, group), isNow(change, group), change.witness.text,
        ]
        lines.append("| " + cells.map(\.markdown).joined(separator: " | ") + " |")
      }
      let left = changes.count - Self.rows
      if left > 0 { lines += ["", "And \(left.counted("more class", plural: "more classes")) of URLs."] }
    }
    lines += diff.undecided.prefix(Self.few).flatMap { ["", "Undecided: " + sentence(of: $0).markdown] }
    lines += diff.limits.flatMap { ["", "The comparison is incomplete: \($0)."] }
    return lines.joined(separator: "\n")
  }

  private func sentence(of change: RouteDiff.Change, _ group: Group) -> AttributedText {
    """
    \(urls(of: change, group)) now \(isNow(change, group)) (was: \(was(change, group))), for example \(change.witness.text)
    """
  }

  /// The pattern of the route that causes the change.
  private func urls(of change: RouteDiff.Change, _ group: Group) -> AttributedText {
    let isNew =
      newRoute(change.sides).map { $0.id == group.route.id && $0.owner == group.route.owner } ?? false
    let side = isNew ? change.sides.new : change.sides.old
    return "\(code: side?.pattern.description ?? "")"
  }

  private func was(_ change: RouteDiff.Change, _ group: Group) -> AttributedText {
    reported(oldRoute(change.sides), group)
  }

  private func isNow(_ change: RouteDiff.Change, _ group: Group) -> AttributedText {
    let (before, after) = (oldRoute(change.sides), newRoute(change.sides))
    let text = reported(after, group)
    guard let before, let after, before.action.sentence == after.action.sentence else { return text }
    guard before.isFinal == after.isFinal else {
      return after.isFinal ? "\(text) as a final route" : "\(text), not as a final route"
    }
    return "\(text) with other capture values"
  }

  /// Returns the action, and the route if that is not the group's.
  private func reported(_ route: Route<RouteAction>?, _ group: Group) -> AttributedText {
    guard let route else { return "matches no route" }
    let isOwn = route.id == group.route.id && route.owner == group.route.owner
    return isOwn ? route.action.sentence : "\(route.action.sentence) by \(code: route.id)"
  }

  private func sentence(of undecided: RouteDiff.Undecided) -> AttributedText {
    let names = [undecided.sides.old, undecided.sides.new].map { side -> AttributedText in
      side.map { "\(code: $0.id) (\(code: $0.pattern.description))" } ?? "no route"
    }
    let reason = AttributedText(stringLiteral: undecided.reason.description)
    return "cannot decide whether a URL moves from \(names[0]) to \(names[1]): \(reason)"
  }
}

extension DiffReport.Cause {
  /// The cause in words.
  fileprivate var word: String {
    switch self {
    case .added: "is added"
    case .removed: "is removed"
    case .changed: "is changed"
    case .reordered: "is reordered"
    }
  }
}

extension RouteRequest {
  /// The URL, with the context that it needs.
  fileprivate var text: AttributedText {
    let context = context.sorted { $0.key < $1.key }.map { name, value -> AttributedText in
      "\(code: "\(name) = \(value)")"
    }
    return context.isEmpty ? "\(code: url)" : "\(code: url) with \(context.joined(by: ", "))"
  }
}
