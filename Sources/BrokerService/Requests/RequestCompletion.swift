// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import BusInterfaces
import DBus
import Systemd

/// The end of a request: it waits for the deliveries, opens the fallback if it is needed, and makes the receipt.
@BrokerActor
final class RequestCompletion {
  private let decisions: DecisionService
  private let deliveries: DeliveryService
  private let reporter: CallerReporter

  init(decisions: DecisionService, deliveries: DeliveryService, reporter: CallerReporter) {
    self.decisions = decisions
    self.deliveries = deliveries
    self.reporter = reporter
  }

  /// A delivery with the outcome for the receipt.
  private struct ReportedDelivery {
    let handle: DeliveryHandle
    var delivery: Delivery
  }

  /// Returns the receipt of a request, waiting for its deliveries as long as its caller does.
  ///
  /// A failure that no caller receives is shown to the user.
  ///
  /// - Parameter substitutes: The deliveries of the fallback that an earlier broker has started; empty if there are none.
  /// - Throws: The error of the first failure, if no delivery reached the outcome that the caller waits for.
  func receipt(
    of request: ActiveRequest, _ handles: [DeliveryHandle], substitutes: [DeliveryHandle],
    from source: SourceApplication
  ) async throws(BusError) -> Receipt {
    var reported = await outcomes(of: handles, for: request)
    if let first = Self.needsFallback(reported.map(\.delivery)) {
      let fallback =
        substitutes.isEmpty
        ? await startFallback(of: request, after: reported.map(\.delivery), from: source) : substitutes
      if let fallback {
        reported = Self.merge(reported, from: first, with: await outcomes(of: fallback, for: request))
      }
    }
    if request.isUnattended { for part in reported { part.handle.notifyUser(of: part.delivery) } }
    let receipt = Receipt(requestID: request.key.id, deliveries: reported.map(\.delivery))
    guard !Self.isFailed(receipt, request.options.wait) else { throw Self.error(of: receipt) }
    return receipt
  }

  /// Returns the outcomes of deliveries, waiting as long as the caller of their request does.
  private func outcomes(
    of handles: [DeliveryHandle], for request: ActiveRequest
  ) async -> [ReportedDelivery] {
    var reported = handles.map { ReportedDelivery(handle: $0, delivery: $0.known) }
    // A stored delivery needs no caller, so a caller that waits for acceptance only gets its receipt now.
    let isLeft = { (handle: DeliveryHandle) in
      (request.options.wait == .accepted || request.hasCallerLeft) && handle.isStored
    }
    for handle in handles where isLeft(handle) { handle.job?.callerLeft() }
    let awaited = handles.enumerated().compactMap { index, handle in
      isLeft(handle) ? nil : handle.job.map { (index, $0) }
    }
    guard !awaited.isEmpty else { return reported }
    let timer = LoopTimer(on: BrokerActor.loop, after: request.times.deadline - .now) {
      for (_, job) in awaited { job.callerTimedOut() }
    }
    defer { timer?.cancel() }
    for (index, job) in awaited {
      reported[index].delivery = await job.outcome.answer.value
      // The receipt, which follows at once unless there is a fallback, reports the last one.
      guard index < handles.count - 1 || request.options.fallback != nil else { continue }
      reporter.report(reported[index].delivery.outcome, of: request, handles[index].known.application)
    }
    return reported
  }

  /// Starts the deliveries of the fallback; `nil` if the request has none, or was cancelled, or if the fallback cannot be decided in time.
  private func startFallback(
    of request: ActiveRequest, after earlier: [Delivery], from source: SourceApplication
  ) async -> [DeliveryHandle]? {
    guard let text = request.options.fallback, let urls = try? RequestDecoder.urls([text]) else { return nil }
    let options = request.options.forFallback
    guard let planned = await decisions.decideFallback(urls, for: request, options, from: source),
      // The caller may have cancelled the request meanwhile.
      !request.isWithdrawn
    else { return nil }
    return deliveries.start(planned, for: request, options, after: earlier)
  }

  /// Replaces failed deliveries with those of the fallback.
  ///
  /// Deliveries that may have reached an application are retained.
  private static func merge(
    _ deliveries: [ReportedDelivery], from first: Int, with substitutes: [ReportedDelivery]
  ) -> [ReportedDelivery] {
    deliveries[..<first] + substitutes + deliveries[first...].filter { $0.delivery.outcome != .failed }
  }

  /// Returns the index of the first delivery that needs a fallback; `nil` if none does.
  private static func needsFallback(_ deliveries: [Delivery]) -> Int? {
    // A cancelled request needs no fallback, and one beyond a limit gets none, because the fallback would be beyond it,
    // too. An open question is not a failure.
    let final = [BrokerErrorName.cancelled.errorName, BrokerErrorName.tooMany.errorName]
    guard !deliveries.contains(where: { $0.error.map(final.contains) ?? false }) else { return nil }
    return deliveries.firstIndex { $0.outcome == .failed && $0.choices == nil }
  }

  /// Returns whether no delivery reached the outcome that the caller waits for, and one has an error.
  private static func isFailed(_ receipt: Receipt, _ wait: OpenOptions.Wait) -> Bool {
    receipt.deliveries.allSatisfy { $0.outcome < wait.outcome }
      && receipt.deliveries.contains { $0.error != nil }
  }

  /// Returns the error of the first failure, with the receipt as its details.
  private static func error(of receipt: Receipt) -> BusError {
    let worst = receipt.failure ?? receipt.deliveries.first { $0.error != nil }
    return BusError(
      worst?.error ?? BrokerErrorName.timeout.errorName,
      worst?.message ?? "the outcome is unknown",
      details: receipt.entries)
  }
}

extension OpenOptions {
  /// The options for the fallback, without those that apply to the original URLs only.
  fileprivate var forFallback: OpenOptions {
    var options = self
    options.target = nil
    options.reason = .url
    options.payload = nil
    options.desktopAction = nil
    options.universalLinksOnly = false
    // The caller's answers are about the original URLs.
    options.answer = nil
    return options
  }
}
