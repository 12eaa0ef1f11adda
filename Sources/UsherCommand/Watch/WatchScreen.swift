// SPDX-License-Identifier: Apache-2.0
/// The screen of a view of requests.
struct WatchScreen {
  /// The columns of the list, with the names of the page of `usher report`.
  private struct Column {
    let title: String
    let width: Int
    /// A Boolean value that indicates whether the end of a long text is shown, as the last part of an ID says most.
    var showsEnd = false
    let text: (WatchedRequest) -> String
  }

  private let model: WatchModel
  /// The current day, in the form of the model's moments.
  private let today: Substring
  private var layout: WatchLayout { model.layout }
  private var columns: Int { layout.size.columns }

  /// Creates a screen.
  ///
  /// - Parameter now: the current time in microseconds since 1970; requests of other days show their day.
  init(of model: WatchModel, now: Int64) {
    self.model = model
    today = model.moment(now).prefix { $0 != " " }
  }

  /// The content of the screen.
  var frame: ScreenFrame {
    var lines: [ScreenLine] = []
    if layout.hasTitle { lines.append(title) }
    switch model.page {
    case .list: lines += body
    case .request: lines += requestPage
    case .keys: lines += keys
    }
    let rows = layout.size.rows
    lines = Array(lines.prefix(layout.hasFooter || model.isTyping ? rows - 1 : rows))
    guard layout.hasFooter || model.isTyping else { return ScreenFrame(size: layout.size, lines: lines) }
    lines += Array(repeating: ScreenLine(), count: max(0, rows - 1 - lines.count))
    lines.append(footer)
    let cursor = ScreenFrame.Position(row: rows - 1, column: min(footer.end, columns - 1))
    return ScreenFrame(size: layout.size, lines: lines, cursor: model.isTyping ? cursor : nil)
  }

  // MARK: Title and footer

  /// The state of the connection and of the view; `nil` if there is nothing to report.
  private var status: (text: String, emphasis: StyledText.Emphasis)? {
    switch model.connection {
    case .lost: return ("the broker exited; waiting for the next one", .open)
    case .unreachable(let reason): return ("the broker cannot be reached, trying again: \(reason)", .bad)
    case .connecting: return ("connecting to the broker", .open)
    case .connected: break
    }
    if let count = model.eventsWhilePaused {
      return ("paused, \(count.counted("event")) since then", .open)
    }
    if model.hasNextBroker { return ("the broker exited; monitoring the next one", .open) }
    return model.missed > 0
      ? ("missed \(model.missed.counted("line")): they arrived too fast", .open) : nil
  }

  private var title: ScreenLine {
    var line = ScreenLine("usher monitor", in: columns, as: .heading)
    var parts: [(text: String, emphasis: StyledText.Emphasis?)] = []
    if let status { parts.append(status) }
    let list = model.list
    let all = model.requests
    let count =
      model.filter.isEmpty
      ? all.latest.count.counted("request")
      : "\(list.requests.count) of \(all.latest.count.counted("request"))"
    parts.append((count, nil))
    if all.pendingCount > 0 { parts.append(("\(all.pendingCount) in progress", nil)) }
    if model.page == .list, list.top > 0 { parts.append(("\(list.top) newer above", nil)) }
    if case .connected(let version) = model.connection { parts.append(("usherd \(version)", nil)) }
    for part in parts {
      let column = line.end + 2
      line.add(part.text, at: column, width: columns - column, as: part.emphasis)
    }
    return line
  }

  private var footer: ScreenLine {
    if model.isTyping {
      // The end of a long filter is shown, where the user types.
      var text = ScreenText(model.filter)
      var rest = Substring(model.filter)
      while text.width > max(1, columns - 2), !rest.isEmpty {
        rest = rest.dropFirst()
        text = ScreenText(String(rest))
      }
      var line = ScreenLine("/", in: columns)
      line.add(text, at: 1, width: columns - 1)
      return line
    }
    if !layout.hasTitle, let status { return ScreenLine(status.text, in: columns, as: status.emphasis) }
    var line = ScreenLine()
    if !model.filter.isEmpty, model.page == .list {
      line.add("/\(model.filter)", at: 0, width: min(columns, max(8, columns / 2)), as: .heading)
    }
    for hint in hints {
      let text = ScreenText(hint)
      let column = line.parts.isEmpty ? 0 : line.end + 3
      guard column + text.width <= columns else { break }
      line.add(text, at: column, width: text.width)
    }
    return line
  }

  /// The keys that the footer shows, the most important first.
  private var hints: [String] {
    switch model.page {
    case .list:
      (model.filter.isEmpty ? [] : ["Esc clear"])
        + [
          "q quit", "? keys", "Enter open", "/ filter",
          model.eventsWhilePaused == nil ? "p pause" : "p resume",
        ]
    case .request: ["q quit", "Esc back", "? keys", "j/k scroll"]
    case .keys: ["q quit", "Esc back"]
    }
  }

  // MARK: The list

  private var body: [ScreenLine] {
    let list = model.list
    var lines: [ScreenLine] = []
    let shown = listColumns
    if layout.hasHeadings {
      var line = ScreenLine()
      var column = 1
      for heading in shown {
        line.add(heading.title, at: column, width: min(heading.width, columns - column), as: .heading)
        column += heading.width + 1
      }
      lines.append(line)
    }
    let rows = list.requests.indices.dropFirst(list.top).prefix(layout.listRows)
    for index in rows {
      lines.append(row(list.requests[index], shown, isSelected: index == list.selected))
    }
    if rows.isEmpty { lines.append(ScreenLine(emptyText, in: columns, at: 1)) }
    guard layout.isDivided, let request = list.request else { return lines }
    let listEnd = layout.listRows + (layout.hasHeadings ? 1 : 0)
    lines += Array(repeating: ScreenLine(), count: max(0, listEnd - lines.count))
    lines.append(ScreenLine(String(repeating: "─", count: columns), in: columns))
    return lines + RequestPage(request, in: model).lines.prefix(layout.requestRows)
  }

  private var emptyText: String {
    if model.requests.latest.isEmpty {
      return model.connection == .connecting
        ? "" : "No request yet. Each link appears here that a program opens."
    }
    return "No request matches. Press Esc to clear the filter."
  }

  private func row(_ request: WatchedRequest, _ shown: [Column], isSelected: Bool) -> ScreenLine {
    var line = ScreenLine()
    line.isSelected = isSelected
    // The selection is visible without colors, too.
    if isSelected { line.add(">", at: 0, width: 1) }
    var column = 1
    for (index, part) in shown.enumerated() {
      let emphasis = index == 1 ? RequestWords.emphasis(request) : nil
      let text = ScreenText(part.text(request))
      let width = min(part.width, columns - column)
      line.add(
        part.showsEnd ? text.truncatedAtStart(to: width) : text, at: column, width: width, as: emphasis)
      column += part.width + 1
    }
    return line
  }

  private var listColumns: [Column] {
    let isWide = columns >= 110
    let time = Column(title: "Time", width: isWide ? 19 : columns >= 100 ? 11 : 8) { [self] in
      moment(of: $0, isComplete: isWide)
    }
    let outcome = Column(title: "Outcome", width: columns >= 60 ? 14 : 11) {
      "\(RequestWords.sign($0)) \(RequestWords.outcome($0.entry))"
    }
    // The sides of the list and the gaps between the columns take one cell each.
    var left = columns - 1 - time.width - 1 - outcome.width - 1
    func column(_ title: String, width: Int, text: @escaping (RequestEntry) -> String) -> Column {
      left -= width + 1
      return Column(title: title, width: width, showsEnd: true) { text($0.entry) }
    }
    let target = columns >= 60 ? column("To", width: max(15, columns / 6)) { $0.application ?? "–" } : nil
    let source = columns >= 80 ? column("From", width: max(13, columns / 7), text: RequestWords.source) : nil
    let took =
      columns >= 110 ? column("Took", width: 7) { $0.isEnded ? RequestWords.duration($0.duration) : "" } : nil
    let url = Column(title: "URL", width: max(1, left)) { Self.url(of: $0.entry) }
    return [time, outcome] + [target, url, source, took].compactMap(\.self)
  }

  private func moment(of request: WatchedRequest, isComplete: Bool) -> String {
    let moment = model.moment(request.entry.arrival)
    guard !isComplete, let space = moment.firstIndex(of: " ") else { return moment }
    let clock = moment[moment.index(after: space)...]
    if moment[..<space] == today { return String(clock) }
    // The year and the seconds are left out.
    let day = moment[..<space].dropFirst(5)
    return columns >= 100 ? "\(day) \(clock.prefix(5))" : "\(day)"
  }

  private static func url(of entry: RequestEntry) -> String {
    guard let first = entry.urls.first else { return "a request without a URL" }
    let others = entry.urls.count - 1
    return ShownURL.base(first) + (others > 0 ? "  +\(others)\(entry.hasMoreURLs ? "…" : "")" : "")
  }

  // MARK: The other pages

  private var requestPage: [ScreenLine] {
    guard let request = model.list.request else { return [] }
    let lines = RequestPage(request, in: model).lines
    return Array(lines.dropFirst(max(0, min(model.scroll, lines.count - layout.bodyRows))))
  }

  private var keys: [ScreenLine] {
    [
      ("↑ ↓, j k", "select a request, or scroll"), ("PgUp PgDn", "move by a page"),
      ("Home End", "newest or oldest request"), ("Enter", "open the request, or go back"),
      ("/", "filter; Enter ends typing"), ("Esc", "clear the filter, or go back"),
      ("p", "pause, or show new requests again"), ("?", "show the keys"), ("Ctrl-L", "draw the screen again"),
      ("q, Ctrl-C", "quit"),
    ].map { key, effect in
      var line = ScreenLine(key, in: min(columns, 12), at: 1, as: .heading)
      line.add(effect, at: 12, width: columns - 12)
      return line
    }
  }
}
