// SPDX-License-Identifier: Apache-2.0
/// One request in detail: caller, decision, delivery and receipt, in the words of the page of `usher report`.
struct RequestPage {
  /// The number of columns between the left side and the content.
  private static let indent = 2
  /// The width of a name before its value, and of the name of a state.
  private static let nameWidth = 14
  /// The width of the time of a state, and of its duration.
  private static let (timeWidth, tookWidth) = (8, 13)
  /// The width from which the delivery is drawn as bars.
  private static let smallestChart = 56

  private let request: WatchedRequest
  private let model: WatchModel
  private var entry: RequestEntry { request.entry }
  private var columns: Int { model.layout.size.columns }

  init(_ request: WatchedRequest, in model: WatchModel) {
    self.request = request
    self.model = model
  }

  /// The lines, at the width of the screen.
  var lines: [ScreenLine] {
    var page = head
    page += section("Caller") + caller
    page += section("Decision") + decision
    page += section("Delivery") + timeline
    page += section("Receipt") + receipt
    return page
  }

  private var head: [ScreenLine] {
    var first = ScreenLine(
      "\(RequestWords.sign(request)) \(RequestWords.outcome(entry))", in: columns,
      as: outcomeEmphasis)
    first.add(model.moment(entry.arrival), at: first.end + 2, width: columns - first.end - 2)
    var lines = [first]
    if entry.urls.isEmpty { lines += paragraph("a request without a URL", at: 0) }
    for url in entry.urls { lines += paragraph(url, at: 0, as: .heading) }
    if entry.hasMoreURLs { lines += paragraph("and more URLs", at: 0) }
    if let reason = entry.reason { lines += paragraph(reason, at: 0) }
    if request.isInterrupted {
      lines += paragraph("The broker exited before it reported the outcome.", at: 0, as: .open)
    }
    return lines
  }

  private var caller: [ScreenLine] {
    facts([
      ("application", entry.source), ("from", RequestWords.machine(entry)), ("through", entry.via),
      ("assurance", entry.assurance),
    ]) + paragraph(RequestWords.knownBy(entry))
  }

  private var decision: [ScreenLine] {
    var lines: [ScreenLine] = []
    switch model.decision(about: request) {
    case .pending: lines += paragraph("…")
    case .unexplained:
      lines += paragraph("A part of the link is not shown, so that its decision cannot be explained.")
    case .known(let decision):
      for (index, step) in decision.steps.enumerated() {
        lines += item("\(index + 1).", step, as: index == decision.steps.count - 1 ? .heading : nil)
      }
      if let application = entry.application, let other = decision.application, other != application {
        let isComplete = entry.urls.first.flatMap(ShownURL.plain) == entry.urls.first
        lines += paragraph(
          isComplete
            ? "The link went to \(application); the rules of today choose \(other)."
            : "The link went to \(application). Without its query and fragment, which the history does not store, the rules of today choose \(other).",
          as: .open)
      }
      if let remedy = decision.remedy { lines += item("$", remedy) }
      lines += paragraph(
        "These steps are those of a decision now, for the link without its query and fragment.")
    }
    if let question = DecisionQuestion(of: entry) { lines += item("$", question.command) }
    return lines
  }

  /// The states of the delivery, each with its time since the arrival and its duration, as bars on a common axis.
  private var timeline: [ScreenLine] {
    let states = RequestWords.states(entry)
    let total = max(1, entry.duration, states.last?.at ?? 0)
    var lines: [ScreenLine] = []
    for (index, state) in states.enumerated() {
      let isLast = index == states.count - 1
      // The duration of the current state is not known yet.
      let end = isLast ? (entry.isEnded ? total : nil) : states[index + 1].at
      var line = ScreenLine()
      line.add(state.state, at: Self.indent, width: stateWidth)
      line.add(
        "+\(RequestWords.duration(state.at))", at: timeColumn,
        width: min(Self.timeWidth, columns - timeColumn))
      if let end {
        let took = "took \(RequestWords.duration(max(0, end - state.at)))"
        line.add(took, at: tookColumn, width: min(Self.tookWidth, columns - tookColumn))
      }
      addBar(from: state.at, to: end ?? state.at, of: total, as: isLast ? outcomeEmphasis : nil, to: &line)
      lines.append(line)
    }
    if let outcome = entry.outcome {
      var line = ScreenLine()
      line.add(outcome, at: Self.indent, width: stateWidth, as: .heading)
      line.add(
        "\(RequestWords.duration(entry.duration)) after it arrived", at: timeColumn,
        width: columns - timeColumn)
      lines.append(line)
    }
    return lines
  }

  /// Adds the bar of a state, if the screen is wide enough.
  private func addBar(
    from start: Int64, to end: Int64, of total: Int64, as emphasis: StyledText.Emphasis?,
    to line: inout ScreenLine
  ) {
    guard columns >= Self.smallestChart else { return }
    let first = tookColumn + Self.tookWidth + 1
    let width = min(60, columns - first)
    func cells(_ time: Int64) -> Int { Int(clamping: Int64(width) * time / total) }
    let left = min(width - 1, cells(start))
    let right = min(width, max(left + 1, cells(end)))
    let bar = String(repeating: "━", count: right - left)
    line.add(bar, at: first + left, width: right - left, as: emphasis)
  }

  private var outcomeEmphasis: StyledText.Emphasis? { RequestWords.emphasis(request) }
  /// The width of the names of the states.
  private var stateWidth: Int { min(columns < 50 ? Self.nameWidth : 20, max(4, columns / 3)) }
  private var timeColumn: Int { Self.indent + stateWidth + 1 }
  private var tookColumn: Int { timeColumn + Self.timeWidth + 1 }

  private var receipt: [ScreenLine] {
    let advice = RequestWords.advice(on: entry)
    return facts([
      ("outcome", entry.outcome), ("application", entry.application),
      ("delivered", RequestWords.delivered(entry)), ("error", entry.error), ("request", entry.requestID),
    ]) + (advice.map { paragraph($0) } ?? [])
  }

  // MARK: Parts of the page

  private func section(_ title: String) -> [ScreenLine] {
    [ScreenLine(), ScreenLine(title, in: columns, as: .heading)]
  }

  /// Returns names with their values; values that are absent are left out.
  private func facts(_ pairs: [(name: String, value: String?)]) -> [ScreenLine] {
    pairs.flatMap { name, value in value.map { item(name, $0, width: Self.nameWidth) } ?? [] }
  }

  private func paragraph(
    _ text: String, at column: Int = Self.indent, as emphasis: StyledText.Emphasis? = nil
  ) -> [ScreenLine] {
    ScreenText(text).wrapped(to: columns - column).map { part in
      var line = ScreenLine()
      line.add(part, at: column, width: columns - column, as: emphasis)
      return line
    }
  }

  /// Returns a text behind a mark or a name; its further lines begin below the first one.
  private func item(
    _ mark: String, _ text: String, width: Int = 3, as emphasis: StyledText.Emphasis? = nil
  ) -> [ScreenLine] {
    let column = Self.indent + max(width, mark.utf8.count + 1)
    var lines = paragraph(text, at: column, as: emphasis)
    if lines.isEmpty { lines = [ScreenLine()] }
    var first = ScreenLine(mark, in: min(columns, column), at: Self.indent)
    for part in lines[0].parts {
      first.add(part.text, at: part.column, width: columns - part.column, as: part.emphasis)
    }
    lines[0] = first
    return lines
  }
}
