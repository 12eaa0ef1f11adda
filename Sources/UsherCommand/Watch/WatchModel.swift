// SPDX-License-Identifier: Apache-2.0
/// The state of a view of requests, which events and keys change.
struct WatchModel {
  /// The connection to the broker.
  enum Connection: Hashable {
    case connecting
    case connected(version: String)
    case lost
    case unreachable(String)
  }

  /// The pages of the view.
  enum Page: Hashable {
    case list, request, keys
  }

  /// The requests that match the filter, with the selected one.
  struct List {
    /// The requests, the newest first.
    let requests: [WatchedRequest]
    /// The index of the selected request; 0 if there is none.
    let selected: Int
    /// The index of the first request on the screen.
    let top: Int

    /// The selected request; `nil` if there is none.
    var request: WatchedRequest? { requests.indices.contains(selected) ? requests[selected] : nil }
  }

  /// The decision about a request.
  enum Decision: Hashable {
    /// It is not known yet.
    case pending
    case known(WatchedDecision)
    /// It cannot be explained, because a part of the link is not shown.
    case unexplained
  }

  /// The maximum number of decisions that are stored.
  private static let maximumDecisions = 50
  /// The maximum number that is counted.
  private static let maximumCount = 1 << 40
  /// The maximum number of characters of a filter.
  private static let longestFilter = 200

  private(set) var layout: WatchLayout
  private(set) var connection = Connection.connecting
  /// A Boolean value that indicates whether an earlier broker exited, which is shown until the user presses a key.
  private(set) var hasNextBroker = false
  private(set) var page = Page.list
  /// A Boolean value that indicates whether the user types a filter.
  private(set) var isTyping = false
  private(set) var filter = ""
  /// The number of events that the broker omitted and the history has not replaced.
  private(set) var missed = 0
  /// The number of events since the user paused the view; `nil` if it is not paused.
  private(set) var eventsWhilePaused: Int?
  /// The first line of the opened request that is shown.
  private(set) var scroll = 0
  /// A Boolean value that indicates whether the user has left the view.
  private(set) var isFinished = false
  /// A Boolean value that indicates whether the screen has to be drawn completely.
  private(set) var needsRedraw = false

  private var live = WatchedRequests()
  /// The requests when the user paused the view.
  private var frozen: WatchedRequests?
  /// The selected request; `nil` selects the newest one.
  private var selection: WatchedRequest.ID?
  /// The first request on the screen; `nil` is the newest one.
  private var top: WatchedRequest.ID?
  private var decisions: [WatchedRequest.ID: Decision] = [:]
  /// Returns a time in microseconds since 1970 as day and time of day, such as `2026-11-24 09:30:12`.
  let moment: (Int64) -> String

  /// Creates a view without requests.
  init(size: ScreenSize, moment: @escaping (Int64) -> String) {
    layout = WatchLayout(size: size)
    self.moment = moment
  }

  // MARK: What the screen shows

  /// The requests that are shown.
  var requests: WatchedRequests { frozen ?? live }

  /// The list of the requests that match the filter.
  var list: List {
    let words = filter.lowercased().split(whereSeparator: \.isWhitespace).map(String.init)
    let shown = requests.latest.reversed().filter { RequestWords.matches($0.entry, words: words) }
    // The next older request replaces one that is not shown.
    func index(of id: WatchedRequest.ID?) -> Int {
      guard let id else { return 0 }
      return max(0, min(shown.firstIndex { $0.id <= id } ?? shown.count, shown.count - 1))
    }
    let (selected, rows) = (index(of: selection), layout.listRows)
    let wanted = min(max(index(of: top), selected - rows + 1), selected)
    return List(requests: shown, selected: selected, top: max(0, min(wanted, shown.count - rows)))
  }

  /// The opened request: on its own page, or below the list.
  var openedRequest: WatchedRequest? { page == .request || layout.isDivided ? list.request : nil }

  /// Returns the decision about a request.
  func decision(about request: WatchedRequest) -> Decision {
    DecisionQuestion(of: request.entry) == nil ? .unexplained : decisions[request.id] ?? .pending
  }

  /// The request of which the decision is wanted, with the question; `nil` if none is.
  var wantedDecision: (id: WatchedRequest.ID, question: DecisionQuestion)? {
    guard page != .keys, let request = openedRequest, decisions[request.id] == nil,
      let question = DecisionQuestion(of: request.entry)
    else { return nil }
    return (request.id, question)
  }

  // MARK: Changes

  /// Changes the view after an event.
  mutating func receive(_ event: WatchEvent) {
    switch event {
    case .connected(let version):
      if connection != .connecting { hasNextBroker = true }
      connection = .connected(version: version)
    case .lost:
      connection = .lost
      live.interrupt()
    case .unreachable(let reason): connection = .unreachable(reason)
    case .missed(let count): missed = min(missed, Self.maximumCount) + min(max(0, count), Self.maximumCount)
    case .complete: missed = 0
    case .request(let entry):
      live.add(entry)
      if let count = eventsWhilePaused { eventsWhilePaused = count + 1 }
    case .decided(let id, let decision):
      if decisions.count >= Self.maximumDecisions { decisions = [:] }
      decisions[id] = decision.map(Decision.known) ?? .unexplained
    }
  }

  /// Changes the size of the view.
  mutating func resize(to size: ScreenSize) {
    layout = WatchLayout(size: size)
    limitScroll()
  }

  /// Records that the screen was drawn completely.
  mutating func redrawn() { needsRedraw = false }

  /// Changes the view after a key was pressed.
  mutating func press(_ key: TerminalKey) {
    hasNextBroker = false
    if key == .redraw {
      needsRedraw = true
    } else if isTyping {
      type(key)
    } else {
      switch (key, page) {
      case (.character("q"), _), (.character("Q"), _): isFinished = true
      case (.character("p"), _): pause()
      case (.character("?"), .keys), (.escape, .keys), (.enter, .keys): page = .list
      case (.character("?"), _): page = .keys
      case (_, .keys): break
      case (.character("/"), _): (page, isTyping) = (.list, true)
      case (_, .list): pressInList(key)
      case (_, .request): pressInRequest(key)
      }
    }
  }

  private mutating func type(_ key: TerminalKey) {
    switch key {
    case .enter: isTyping = false
    case .escape: (filter, isTyping) = ("", false)
    case .backspace:
      // Backspace in an empty line closes it.
      if filter.isEmpty { isTyping = false } else { filter.removeLast() }
    case .deleteLine: filter = ""
    case .character(let character):
      if filter.count < Self.longestFilter { filter.append(character) }
    case .up, .down, .pageUp, .pageDown: pressInList(key)
    default: break
    }
  }

  private mutating func pause() {
    frozen = frozen == nil ? live : nil
    eventsWhilePaused = frozen == nil ? nil : 0
  }

  private mutating func pressInList(_ key: TerminalKey) {
    switch key {
    case .up, .character("k"): move(by: -1)
    case .down, .character("j"): move(by: 1)
    case .pageUp: move(by: -layout.listRows)
    case .pageDown: move(by: layout.listRows)
    case .home, .character("g"): (selection, top) = (nil, nil)
    case .end, .character("G"): move(by: WatchedRequests.maximum)
    case .enter, .right, .character("l"):
      guard list.request != nil else { return }
      // Newer requests do not replace the opened one.
      if selection == nil { move(by: 0, pins: true) }
      (page, scroll) = (.request, 0)
    case .escape: filter = ""
    default: break
    }
  }

  private mutating func pressInRequest(_ key: TerminalKey) {
    switch key {
    case .up, .character("k"): scroll -= 1
    case .down, .character("j"): scroll += 1
    case .pageUp: scroll -= layout.bodyRows
    case .pageDown: scroll += layout.bodyRows
    case .home, .character("g"): scroll = 0
    case .end, .character("G"): scroll = .max
    case .escape, .enter, .left, .character("h"), .backspace: page = .list
    default: break
    }
    limitScroll()
  }

  /// Selects another request, or the newest one, which newer ones then replace.
  private mutating func move(by count: Int, pins: Bool = false) {
    let before = list
    guard !before.requests.isEmpty else { return }
    let selected = max(0, min(before.selected + count, before.requests.count - 1))
    guard selected > 0 || pins else { return (selection, top) = (nil, nil) }
    selection = before.requests[selected].id
    top = before.requests[before.top].id
    // The screen shows the selected request, and stays at it as newer ones arrive.
    let after = list
    top = after.requests[after.top].id
  }

  private mutating func limitScroll() {
    guard page == .request, let request = list.request else { return scroll = 0 }
    let count = RequestPage(request, in: self).lines.count
    scroll = max(0, min(scroll, count - layout.bodyRows))
  }
}
