// SPDX-License-Identifier: Apache-2.0
import BrokerCore

/// The unfinished jobs of programs that routes run, which have no queue.
@BrokerActor
final class RouteCommandJobs {
  private var jobs: [ObjectIdentifier: DeliveryJob] = [:]

  /// Adds a job, which removes itself at its end.
  func insert(_ job: DeliveryJob) { jobs[ObjectIdentifier(job)] = job }

  /// Removes a job.
  func remove(_ job: DeliveryJob) { jobs[ObjectIdentifier(job)] = nil }

  /// A Boolean value that indicates whether the result of a start is due at once.
  var isSending: Bool { jobs.values.contains { $0.isSending } }

  /// Ends the jobs that expire at `time` or before.
  func expire(at time: ContinuousClock.Instant) {
    for job in jobs.values where job.expires <= time { job.apply(.expired) }
  }

  /// Stores all stored jobs again, because their file was lost.
  func storeAgain() { for job in jobs.values { job.storeAgain() } }

  /// Stores the jobs that must survive the end of the broker.
  func stop() { for job in jobs.values { job.apply(.brokerStops) } }
}
