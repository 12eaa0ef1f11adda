import BusInterfaces
import Freedesktop

/// A started delivery of a request: its outcome, or the object that delivers it.
@BrokerActor
enum DeliveryHandle {
  case finished(Delivery)
  case queued(DeliveryQueue, DeliveryQueue.Ticket)
  case running(RouteCommandExecution, isStored: Bool)

  /// The delivery as far as it is known without waiting.
  var known: Delivery {
    switch self {
    case .finished(let delivery): delivery
    case .queued(let queue, _): Delivery(application: queue.id.rawValue, outcome: .accepted)
    case .running: Delivery(application: nil, outcome: .accepted)
    }
  }

  /// A Boolean value that indicates whether the caller need not wait: the delivery is finished, or it is stored.
  var isStored: Bool {
    switch self {
    case .finished: true
    case .queued(_, let ticket): ticket.isStored
    case .running(_, let isStored): isStored
    }
  }

  /// A Boolean value that indicates whether a later cancellation has no effect.
  var isFinished: Bool {
    switch self {
    case .finished, .running: true
    case .queued(let queue, let ticket): queue.isOver(ticket)
    }
  }

  /// Returns the outcome, waiting for at most `timeout`.
  func outcome(timeout: Duration) async -> Delivery {
    switch self {
    case .finished(let delivery): delivery
    case .queued(let queue, let ticket): await queue.delivery(of: ticket, timeout: timeout)
    case .running(let execution, _): await execution.delivery(timeout: timeout)
    }
  }

  /// Cancels the delivery for its caller; a program that a route runs is not affected.
  func cancel() {
    if case .queued(let queue, let ticket) = self { queue.cancel(ticket) }
  }
}
