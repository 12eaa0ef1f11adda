// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import DBus
import Glibc
import Systemd

/// A view of requests on the terminal: it waits for keys, signals and events of the broker, and draws the screen.
final class WatchSession {
  /// The reason for which a view ends.
  private enum EndReason {
    /// The user has left it.
    case left
    case signal(Int32)
    /// The broker cannot be monitored.
    case failed(message: String, status: Int32)
  }

  private static let signals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGCONT, SIGWINCH]
  /// The minimum time between two drawings because of events, and because of keys.
  private static let (eventInterval, keyInterval) = (Duration.milliseconds(100), Duration.milliseconds(15))
  /// The time after which the Escape key is not the beginning of another key.
  private static let escapeTimeout = Duration.milliseconds(50)
  /// The time for which a request is selected before its decision is asked for.
  private static let decisionPause = Duration.milliseconds(150)
  /// The time after an omitted event before the history is read, in which the broker writes it.
  private static let historyPause = Duration.seconds(2)
  /// The pauses before a broker that exited is replaced, and before the next attempt to reach one.
  private static let (exitPause, failurePause) = (Duration.milliseconds(100), Duration.seconds(1))

  private let terminal: FullScreenTerminal
  private var signals: SignalDescriptor?
  private var model: WatchModel
  private var keys = KeyReader()

  private var stream: (descriptor: UnixFD, lines: LineBuffer)?
  private var connection: WatchQuery?
  private var history: WatchQuery?
  private var decision: (query: WatchQuery, id: WatchedRequest.ID)?

  private var lastDrawing = ContinuousClock.now - .seconds(1)
  private var drawAt: ContinuousClock.Instant?
  private var escapeAt: ContinuousClock.Instant?
  private var historyAt: ContinuousClock.Instant?
  private var decisionAt: (id: WatchedRequest.ID, time: ContinuousClock.Instant)?

  /// Creates a view on the terminal of this process.
  init() throws(FullScreenTerminal.Failure) {
    terminal = try FullScreenTerminal(isColoured: Colours.areWanted(on: STDOUT_FILENO))
    model = WatchModel(size: terminal.size) { Timestamp.localText(ofMicroseconds: $0) }
  }

  /// Shows the view until the user leaves it.
  ///
  /// - Throws: the exit code if the broker cannot be monitored; the error is printed.
  func run() throws(ExitCode) {
    // Before the first thread starts, so that no other thread receives them.
    signals = SignalDescriptor(Self.signals)
    guard signals != nil else {
      Console.warn("cannot receive signals: the process has no file descriptor left")
      throw .failure
    }
    terminal.enter()
    connection = WatchQuery(.monitor(after: .zero))
    draw()
    let reason = waitForEnd()
    terminal.leave()
    switch reason {
    case .left: return
    case .failed(let message, let status):
      Console.warn(message)
      Console.suggest(status == 69 ? [.doctor] : [])
      throw ExitCode(status)
    case .signal(let number):
      // The signal ends the process, as it would have without a view.
      signals = nil
      signal(number, SIG_DFL)
      raise(number)
      throw ExitCode(128 + number)
    }
  }

  private func waitForEnd() -> EndReason {
    while true {
      schedule()
      let deadline = [drawAt, escapeAt, historyAt, decisionAt?.time].compactMap(\.self).min()
      let descriptors = [
        terminal.input, signals?.rawValue, stream?.descriptor.rawValue, connection?.descriptor,
        history?.descriptor, decision?.query.descriptor,
      ]
      var polled = descriptors.map { pollfd(fd: $0 ?? -1, events: Int16(POLLIN), revents: 0) }
      polled.append(pollfd(fd: terminal.isBehind ? terminal.output : -1, events: Int16(POLLOUT), revents: 0))
      _ = Polling.wait(for: &polled, by: deadline ?? .now + .seconds(86_400))
      let isReady = polled.map { $0.revents != 0 }
      if isReady[6] { terminal.flush() }
      if isReady[0], let reason = readKeys() { return reason }
      if isReady[1], let reason = receiveSignals() { return reason }
      if isReady[2] { readEvents() }
      if isReady[3], let reason = readConnection() { return reason }
      if isReady[4] { readHistory() }
      if isReady[5] { readDecision() }
      performDueWork()
    }
  }

  /// Schedules the question about the decision of the request that is shown.
  private func schedule() {
    let wanted = decision == nil ? model.wantedDecision?.id : nil
    if decisionAt?.id != wanted { decisionAt = wanted.map { ($0, .now + Self.decisionPause) } }
  }

  private func performDueWork() {
    let now = ContinuousClock.now
    if let time = escapeAt, time <= now {
      escapeAt = nil
      if let key = keys.incompleteKey() { press([key]) }
    }
    if let time = historyAt, time <= now, history == nil {
      historyAt = nil
      history = WatchQuery(.history)
    }
    if let time = decisionAt?.time, time <= now {
      decisionAt = nil
      if let (id, question) = model.wantedDecision, let query = WatchQuery(.decision(question)) {
        decision = (query, id)
      }
    }
    // A terminal that is behind gets the newest screen when it has read the last one.
    if let time = drawAt, time <= now, !terminal.isBehind { draw() }
    if terminal.isBehind, drawAt.map({ $0 <= now }) == true { drawAt = now + Self.eventInterval }
  }

  // MARK: The terminal

  private func draw() {
    drawAt = nil
    lastDrawing = .now
    if model.needsRedraw {
      terminal.invalidate()
      model.redrawn()
    }
    terminal.show(WatchScreen(of: model, now: Int64(time(nil)) * 1_000_000).frame)
  }

  private func drawSoon(after interval: Duration) {
    let time = lastDrawing + interval
    drawAt = min(drawAt ?? time, time)
  }

  private func readKeys() -> EndReason? {
    var bytes = [UInt8](repeating: 0, count: 4_096)
    let count = read(terminal.input, &bytes, bytes.count)
    // The terminal is lost.
    guard count > 0 || count < 0 && (errno == EINTR || errno == EAGAIN) else { return .signal(SIGHUP) }
    press(keys.keys(in: bytes.prefix(max(0, count))))
    escapeAt = keys.isIncomplete ? .now + Self.escapeTimeout : nil
    return model.isFinished ? .left : nil
  }

  private func press(_ keys: [TerminalKey]) {
    for key in keys where !model.isFinished { model.press(key) }
    if !keys.isEmpty { drawSoon(after: Self.keyInterval) }
  }

  private func receiveSignals() -> EndReason? {
    while let number = signals?.take() {
      switch number {
      case SIGWINCH:
        model.resize(to: terminal.size)
        drawSoon(after: Self.keyInterval)
      case SIGTSTP: suspend()
      case SIGCONT: resume()
      default: return .signal(number)
      }
    }
    return nil
  }

  /// Stops the process with the terminal as it was before, until the shell continues it.
  private func suspend() {
    terminal.leave()
    signals = nil
    raise(SIGTSTP)
    signals = SignalDescriptor(Self.signals)
    resume()
  }

  /// Takes over the terminal after the process was stopped, because the shell has changed its settings.
  private func resume() {
    terminal.enter()
    model.resize(to: terminal.size)
    draw()
  }

  // MARK: The broker

  private func receive(_ event: WatchEvent) {
    model.receive(event)
    drawSoon(after: Self.eventInterval)
  }

  private func readConnection() -> EndReason? {
    guard let connection else { return nil }
    for answer in connection.read() {
      if let descriptor = answer["descriptor"]?.integer, descriptor >= 0 {
        stream = (UnixFD(owning: Int32(clamping: descriptor)), LineBuffer())
      } else if let message = answer["message"]?.string {
        // A view that has shown requests keeps them, and waits for the next broker.
        guard model.connection != .connecting else {
          return .failed(message: message, status: Int32(clamping: answer["status"]?.integer ?? 1))
        }
        receive(.unreachable(message))
      }
    }
    guard connection.isEnded else { return nil }
    self.connection = stream == nil ? WatchQuery(.monitor(after: Self.failurePause)) : nil
    return nil
  }

  private func readEvents() {
    guard var current = stream else { return }
    stream = nil
    let isOpen = current.lines.read(current.descriptor.rawValue)
    for event in current.lines.objects.compactMap(WatchEvent.init) {
      receive(event)
      switch event {
      case .connected: history = history ?? WatchQuery(.history)
      case .missed: historyAt = .now + Self.historyPause
      default: break
      }
    }
    if isOpen {
      stream = current
    } else {
      receive(.lost)
      connection = WatchQuery(.monitor(after: Self.exitPause))
    }
  }

  private func readHistory() {
    guard let history else { return }
    for answer in history.read() {
      if answer.isEmpty {
        receive(.complete)
      } else if let entry = RequestEntry(answer) {
        receive(.request(entry))
      }
    }
    if history.isEnded { self.history = nil }
  }

  private func readDecision() {
    guard let decision else { return }
    let answers = decision.query.read()
    guard !answers.isEmpty || decision.query.isEnded else { return }
    receive(.decided(decision.id, answers.first.flatMap(WatchedDecision.init)))
    self.decision = nil
  }
}
