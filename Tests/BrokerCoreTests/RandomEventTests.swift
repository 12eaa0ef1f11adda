// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import TestSupport
import Testing

/// A random walk of requests to a few targets with all failures, which checks the guarantees at every step.
@Suite struct `A random sequence of events of requests` {
  @Test(.computes, arguments: [1, 2, 3, 4] as [UInt64])
  func `keeps the promises for a million events and more`(seed: UInt64) {
    var world = World(seed: seed)
    while world.events < 300_000 { world.step() }
    world.expireAll()
    #expect(world.diagnostics.isEmpty, "seed \(seed): \(world.diagnostics.prefix(5))")
    #expect(world.events >= 300_000 && world.ended > 20_000)
  }
}

/// A model of the broker's queues without a bus, which performs the effects of the state machines.
private struct World {
  /// The stored state of a request.
  enum Written {
    case nothing, waiting(EarlierAttempts), sent(DeliveryMethod, EarlierAttempts), delivered, over
  }

  struct Request {
    let number: Int
    var life = RequestStateMachine()
    var written = Written.nothing
    /// The method of the last send, if it may have arrived.
    var lastWay: DeliveryMethod?
    /// A Boolean value that is `true` if the target, the broker or the bus crashed after that.
    var crashedSince = false
    /// A Boolean value that is `true` if the last send may have arrived.
    var isOpen = false
    /// A Boolean value that is `true` if an earlier send may have arrived.
    var mayHaveArrived = false
    /// A Boolean value that is `true` if it was sent although that could not be recorded.
    var isUnrecorded = false
    var sends = 0
    var isAccepted = false
    var wasReported = false
    var callerWaits = true
  }

  struct Line {
    let way: DeliveryMethod
    var requests: [Request] = []
    /// The last request that was sent for the first time.
    var lastFirst = 0
  }

  var generator: SeededGenerator
  var lines = (DeliveryMethod.allCases + DeliveryMethod.allCases).map { Line(way: $0) }
  var events = 0
  var ended = 0
  var nextNumber = 1
  var isDiskFull = false
  var diagnostics: [String] = []

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  mutating func step() {
    let line = generator.below(lines.count)
    switch generator.below(100) {
    case 0..<30: arrive(at: line)
    case 30..<60: sendNext(of: line)
    case 60..<80: reply(at: line)
    case 80..<84: crash(line)
    case 84..<86: one(of: line, .callerTimedOut)
    case 86..<88: one(of: line, .cancelled)
    case 88..<89: one(of: line, .expired)
    case 89..<90: killBroker()
    case 90..<91: for line in lines.indices { each(of: line, where: { _ in true }, .busDisconnected) }
    case 91..<92: each(of: line, where: \.isWaiting, .startFailed)
    case 92..<93: stopBroker()
    case 93..<94: isDiskFull.toggle()
    default: one(of: line, generator.pick(Self.oddities))
    }
    sweep(line)
  }

  /// The events that may occur at any time, whether they are expected or not.
  private static let oddities: [RequestEvent] = [
    .nameAcquired, .processExits(success: true), .processExits(success: false), .noReply,
    .arrived,
    .provenNotDelivered, .callerLeaves,
  ]

  /// Crashes the target over its first request.
  private mutating func crash(_ line: Int) {
    let sent = lines[line].requests.indices.filter { lines[line].requests[$0].life.isSent }
    for (place, index) in sent.enumerated() {
      feed(place == 0 || lines[line].way != .application1 ? .nameLost : .interrupted, line, index)
    }
  }

  private mutating func arrive(at line: Int) {
    guard lines[line].requests.count < 40 else { return }
    var request = Request(number: nextNumber)
    nextNumber += 1
    let index = lines[line].requests.count
    request.callerWaits = !generator.oneIn(3)
    lines[line].requests.append(request)
    // A request stays unstored only if the method permits it and its caller waits.
    let isExempt = lines[line].way == .application1 && request.callerWaits && generator.oneIn(2)
    if !isExempt { perform([.store], line, index) }
  }

  private mutating func sendNext(of line: Int) {
    guard let index = lines[line].requests.firstIndex(where: { $0.life.isWaiting }) else { return }
    let way = lines[line].way
    // All targets except those with Application1 receive one request at a time.
    guard way == .application1 || !lines[line].requests.contains(where: { $0.life.isSent }) else { return }
    feed(.sending(way), line, index)
  }

  private mutating func reply(at line: Int) {
    guard let index = lines[line].requests.firstIndex(where: { $0.life.isSent }) else { return }
    let events: [RequestEvent]
    switch lines[line].way {
    case .application1:
      events = [.replyHandled, .replyHandled, .replyNotHandled, .replyFailed, .provenNotDelivered]
    case .standard: events = [.arrived, .arrived, .replyFailed, .noReply, .provenNotDelivered]
    case .program: events = [.arrived, .arrived, .provenNotDelivered, .noReply]
    case .awaitedProgram: events = [.arrived, .processExits(success: true), .processExits(success: false)]
    }
    feed(generator.pick(events), line, index)
  }

  private mutating func one(of line: Int, _ event: RequestEvent) {
    guard !lines[line].requests.isEmpty else { return }
    feed(event, line, generator.below(lines[line].requests.count))
  }

  private mutating func each(
    of line: Int, where condition: (RequestStateMachine) -> Bool, _ event: RequestEvent
  ) {
    for index in lines[line].requests.indices where condition(lines[line].requests[index].life) {
      feed(event, line, index)
    }
  }

  private mutating func stopBroker() {
    for line in lines.indices { each(of: line, where: { _ in true }, .brokerStops) }
    killBroker()
  }

  /// Restarts the broker, which knows only the stored state.
  private mutating func killBroker() {
    for line in lines.indices {
      for index in lines[line].requests.indices {
        lines[line].requests[index].crashedSince = true
        let state: RequestState? =
          switch lines[line].requests[index].written {
          case .nothing: nil
          case .waiting(let earlier): .queued(earlier: earlier)
          case .sent(let way, let earlier): .sent(way, stored: true, earlier: earlier)
          case .delivered: .delivered
          case .over: .ended(.unknown)
          }
        guard let state else {
          if lines[line].requests[index].isAccepted { report("accepted and not written", line, index) }
          feed(.brokerRestarts, line, index)
          lines[line].requests[index].life = RequestStateMachine(.ended(.forgotten))
          continue
        }
        lines[line].requests[index].life = RequestStateMachine(state)
        feed(.brokerRestarts, line, index)
      }
    }
  }

  mutating func expireAll() {
    isDiskFull = false
    for line in lines.indices {
      each(of: line, where: { _ in true }, .expired)
      sweep(line)
      for index in lines[line].requests.indices { report("never ends", line, index) }
    }
  }

  private mutating func feed(_ event: RequestEvent, _ line: Int, _ index: Int) {
    events += 1
    if [.nameLost, .interrupted, .busDisconnected].contains(event) {
      lines[line].requests[index].crashedSince = true
    }
    if event == .provenNotDelivered { lines[line].requests[index].lastWay = nil }
    noteArrival(after: event, line, index)
    perform(lines[line].requests[index].life.take(event), line, index)
  }

  /// Records what an event reveals about the last send.
  private mutating func noteArrival(after event: RequestEvent, _ line: Int, _ index: Int) {
    guard lines[line].requests[index].isOpen else { return }
    switch event {
    case .provenNotDelivered, .interrupted: lines[line].requests[index].isOpen = false
    // The exit of a program, or of an instance that is called by the standard interface, is no sign of a lost envelope.
    case .nameLost, .busDisconnected, .brokerRestarts:
      lines[line].requests[index].isOpen = false
      lines[line].requests[index].mayHaveArrived = lines[line].way == .application1
    default: break
    }
  }

  private mutating func perform(_ effects: [RequestEffect], _ line: Int, _ index: Int) {
    for effect in effects {
      let life = lines[line].requests[index].life
      switch effect {
      case .store: write(.waiting(life.earlier), line, index, tells: true)
      case .storeSent: write(.sent(lines[line].way, life.earlier), line, index, tells: true)
      case .mark: write(.sent(lines[line].way, life.earlier), line, index, tells: true)
      case .markQueued: write(.waiting(life.earlier), line, index, tells: false)
      case .markDelivered: write(.delivered, line, index, tells: false)
      case .storeEnd: write(.over, line, index, tells: false)
      case .accept: lines[line].requests[index].isAccepted = true
      case .send: send(line, index)
      case .answer(let ending):
        lines[line].requests[index].wasReported = true
        let request = lines[line].requests[index]
        if [.withdrawn, .notDelivered].contains(ending), request.isOpen || request.mayHaveArrived,
          !request.isUnrecorded
        {
          report("reported as \(ending), and it may have arrived", line, index)
        }
      case .answerAccepted:
        if case .nothing = lines[line].requests[index].written {
          report("left by its caller and not written", line, index)
        }
        (lines[line].requests[index].wasReported, lines[line].requests[index].isAccepted) = (true, true)
      case .warn, .handOver, .tellTarget, .record: break
      }
    }
  }

  private mutating func write(_ written: Written, _ line: Int, _ index: Int, tells: Bool) {
    let succeeds = !isDiskFull && !generator.oneIn(50)
    if succeeds { lines[line].requests[index].written = written }
    if !succeeds, case .sent = written { lines[line].requests[index].isUnrecorded = true }
    if tells { feed(succeeds ? .stored : .cannotBeStored, line, index) }
  }

  private mutating func send(_ line: Int, _ index: Int) {
    let request = lines[line].requests[index]
    if let last = request.lastWay, !(last == .application1 && request.crashedSince) {
      report("sent twice", line, index)
    }
    if lines[line].requests[..<index].contains(where: { $0.life.isWaiting }) {
      report("overtakes", line, index)
    }
    if request.sends == 0 {
      if request.number < lines[line].lastFirst { report("out of order", line, index) }
      lines[line].lastFirst = request.number
    }
    if case .nothing = request.written, request.isAccepted {
      report("accepted, sent and not written", line, index)
    }
    if lines[line].way != .application1, request.life.isStored {
      guard case .sent = request.written else { return report("sent, and written as waiting", line, index) }
    }
    lines[line].requests[index].sends += 1
    lines[line].requests[index].lastWay = lines[line].way
    lines[line].requests[index].crashedSince = false
    lines[line].requests[index].isOpen = true
  }

  /// Removes finished requests, and checks that their callers received a reply.
  private mutating func sweep(_ line: Int) {
    for (index, request) in lines[line].requests.enumerated().reversed() where request.life.isEnded {
      if !request.wasReported, request.life.state != .ended(.forgotten), case .nothing = request.written {
        report("nobody was told", line, index)
      }
      lines[line].requests.remove(at: index)
      ended += 1
    }
  }

  private mutating func report(_ what: String, _ line: Int, _ index: Int) {
    diagnostics.append("\(what): \(lines[line].way) \(lines[line].requests[index])")
  }
}
