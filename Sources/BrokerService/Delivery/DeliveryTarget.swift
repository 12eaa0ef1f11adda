// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import BusInterfaces
import Freedesktop
import Launching

/// The application of a delivery queue, as its desktop entry describes it: the strategies by which it can be reached, and
/// its programs.
struct DeliveryTarget: Sendable {
  let application: TargetApplication
  let programs: LaunchPrograms
  let files: FileThread

  private var id: ApplicationID { application.id }

  /// Returns the delivery strategies for an envelope, in the order in which they are tried.
  ///
  /// - Parameter mayLaunch: Whether the application may be started for it.
  func strategies(
    for envelope: Envelope, isRunning: Bool, mayLaunch: Bool
  ) -> ArraySlice<DeliveryStrategy> {
    guard mayLaunch else { return application.approachesWithoutLaunch(isRunning: isRunning)[...] }
    if let request = envelope.activationRequest {
      return application.approaches(isRunning: isRunning, for: request)[...]
    }
    return application.approaches(isRunning: isRunning, performing: envelope.desktopAction)[...]
  }

  /// Returns whether the application must be started by its Exec line, because the bus cannot start it on the display of
  /// the caller.
  func needsOwnStart(
    for envelope: Envelope, in session: CallerSession, beside environment: SessionEnvironment
  ) async -> Bool {
    guard !isStartedByBusOnly(for: envelope) else { return false }
    return await session.hasOtherDisplay(than: environment)
  }

  /// Returns whether only the bus can start the application for an envelope, on the display of the session.
  func isStartedByBusOnly(for envelope: Envelope) -> Bool {
    guard application.entry.exec != nil else { return true }
    // Only the bus can perform an action without an Exec line of its own.
    guard let action = envelope.desktopAction, !application.takesEnvelopes else { return false }
    return application.entry.action(action)?.exec == nil
  }

  /// Returns the reason why an instance without envelopes cannot be called; `nil` if it can.
  func obstacleToStandardCall(of envelope: Envelope, mayLaunch: Bool) -> String? {
    guard mayLaunch else { return application.refusalWithoutLaunch }
    guard application.isDBusActivatable else { return "\(id) does not accept D-Bus calls" }
    guard let request = envelope.activationRequest, request.needsEnvelope else { return nil }
    return application.refusal(of: request)
  }

  /// Returns the delivery if no strategy is left and nothing arrived.
  func undeliverable(_ envelope: Envelope, mayLaunch: Bool, _ reasons: [String]) -> Delivery {
    if let reason = application.refusalWithoutMachine {
      return .failed(id, .launchFailed, message: reason)
    }
    guard mayLaunch else { return .failed(id, .notHandled, message: application.refusalWithoutLaunch) }
    // Nothing failed, because the application cannot receive such a request: its running instance accepts no envelopes
    // either.
    if let request = envelope.activationRequest, request.needsEnvelope,
      reasons.isEmpty || !application.takesEnvelopes
    {
      return .failed(id, .notHandled, message: application.refusal(of: request))
    }
    return .failed(id, .launchFailed, message: reasons.joined(separator: "; then "))
  }

  /// Returns the programs of the Exec line.
  ///
  /// It runs on the file thread, because programs are searched in the user's directories too.
  func launches(
    opening urls: [String] = [], performing action: String? = nil
  ) async throws(LaunchError) -> [Launch] {
    let (entry, id, programs) = (application.entry, application.programID, programs)
    return try await files.run { () -> Result<[Launch], LaunchError> in
      do throws(LaunchError) {
        return .success(
          try EntryLaunch.launches(of: entry, id: id, opening: urls, performing: action, programs: programs))
      } catch {
        return .failure(error)
      }
    }.get()
  }
}

extension Envelope {
  /// The purpose of an envelope without URLs; `nil` if it has URLs.
  var activationRequest: ActivationRequest? {
    guard urls.isEmpty else { return nil }
    return ActivationRequest(
      reason: reason.rawValue, desktopAction: desktopAction,
      hasResponse: payload?["action-identifier"]?.string != nil)
  }
}

extension CallerSession {
  /// Returns whether the session has another display than the environment, which is asked only if the session has a display.
  func hasOtherDisplay(than environment: SessionEnvironment) async -> Bool {
    guard hasDisplay else { return false }
    return hasOtherDisplay(than: await environment.current())
  }
}
