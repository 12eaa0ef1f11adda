// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import Synchronization
import TestSupport

/// A stand-in for the broker in the test's own process, which holds each call of `Open` until the test answers it.
final class StandInBroker: Sendable {
  private let bus: BusConnection
  private let requests: AsyncStream<OpenOptions>
  private let answers: AsyncStream<Outcome?>
  private let answered: AsyncStream<Outcome?>.Continuation
  private let count = Atomic<Int>(0)

  private init(_ bus: BusConnection, _ requests: AsyncStream<OpenOptions>) {
    self.bus = bus
    self.requests = requests
    (answers, answered) = AsyncStream<Outcome?>.makeStream()
  }

  /// Acquires the name of the broker before the bus starts it.
  static func start(on desk: InstalledDesktop) async throws -> StandInBroker {
    let (requests, requested) = AsyncStream<OpenOptions>.makeStream()
    let broker = StandInBroker(try await desk.connect(), requests)
    try await broker.bus.export(
      BusObject(
        BrokerInterface.path,
        [
          .method(BrokerInterface.open) { _, _, entries async throws(BusError) in
            do throws(MessageError) { requested.yield(try OpenOptions(entries)) } catch {
              throw BusError(error)
            }
            broker.count.add(1, ordering: .relaxed)
            return try await broker.reply()
          }
        ]))
    guard try await broker.bus.requestName(BrokerInterface.busName) == .owned else {
      throw TestSupportError("a broker runs")
    }
    return broker
  }

  /// The number of calls.
  var calls: Int { count.load(ordering: .relaxed) }

  /// Returns the options of the next call.
  func next() async throws -> OpenOptions {
    let requests = requests
    let options = try await withDeadline(Command.defaultDeadline, "a request to the broker") {
      await requests.first { _ in true }
    }
    guard let options else { throw TestSupportError("there are no more requests") }
    return options
  }

  /// Answers the next call: with the error `Timeout` and this outcome, or with the outcome `handled` for `nil`.
  func answer(_ outcome: Outcome?) async { answered.yield(outcome) }

  private func reply() async throws(BusError) -> [String: Variant] {
    let answer = await answers.first { _ in true } ?? nil
    let entries: [String: Variant] = [
      "request-id": "stand-in", "outcome": .string((answer ?? .handled).rawValue),
      "deliveries": .array(of: "a{sv}", []),
    ]
    guard answer == nil else { throw BusError(.timeout, "the stand-in has waited", details: entries) }
    return entries
  }
}
