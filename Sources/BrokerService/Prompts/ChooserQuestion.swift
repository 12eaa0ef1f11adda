// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import BusInterfaces
import DBus
import Freedesktop
import RouteTables

/// A question in the application chooser of the desktop portal's backend, where a choice is consent.
///
/// Calls org.freedesktop.impl.portal.AppChooser as xdg-desktop-portal does. It shows applications and does not receive
/// the URL.
struct ChooserQuestion: Sendable {
  private static let interface: InterfaceName = "org.freedesktop.impl.portal.AppChooser"
  private static let chooseApplication = BusMethod<
    Arguments<ObjectPath, String, String, [String], [String: Variant]>, Arguments<UInt32, [String: Variant]>
  >(
    "ChooseApplication", of: interface, takes: ["handle", "app_id", "parent_window", "choices", "options"],
    returns: ["response", "results"])

  let bus: BusConnection
  /// The connection of the backend.
  let backend: BusName

  /// Shows the chooser and waits for a choice.
  ///
  /// - Parameter closing: Fulfilled when the chooser is to be closed without an answer, and at the latest when the question has ended.
  func ask(
    _ question: Question, candidates: [ApplicationID], timeout: Duration, until closing: Promise<Void>
  ) async -> PromptResult {
    guard let request = PortalRequest() else { return .impossible }
    return await request.result(on: bus, backend: backend, until: closing) {
      await choose(request, question, candidates: candidates, timeout: timeout)
    }
  }

  /// Calls the backend, until the reply, the timeout or the cancellation of the task.
  private func choose(
    _ request: PortalRequest, _ question: Question, candidates: [ApplicationID], timeout: Duration
  ) async -> PromptResult {
    let choices = candidates.map(\.rawValue)
    do throws(BusError) {
      let (response, results) = try await bus.call(
        Self.chooseApplication, at: RemoteObject(backend, PortalRequest.path), request.handle,
        question.source.id?.rawValue ?? "",
        "", choices,
        [
          "content_type": .string("x-scheme-handler/\(question.url.scheme)"),
          "last_choice": .string(choices.first ?? ""), "modal": .boolean(true),
        ], timeout: timeout)
      // Response codes: 0 is a choice, 1 is closed by the user, and 2 is any other end.
      guard response < 2 else { return .impossible }
      guard response == 0, let choice = results["choice"]?.string,
        let id = ApplicationID.readings(of: choice).last(where: candidates.contains)
      else { return .closed }
      return .answered(
        question.choices.isEmpty ? .yes : .application(id), token: results["activation_token"]?.string)
    } catch {
      return [.timeout, .cancelled].contains(error.busFailure) ? .late : .impossible
    }
  }
}
