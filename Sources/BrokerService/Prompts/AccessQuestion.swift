// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import BusInterfaces
import DBus
import Freedesktop

/// A question about a permission in the dialog of the desktop portal's backend.
///
/// Calls org.freedesktop.impl.portal.Access as xdg-desktop-portal does.
struct AccessQuestion: Sendable {
  private static let interface: InterfaceName = "org.freedesktop.impl.portal.Access"
  private static let accessDialog = BusMethod<
    Arguments<ObjectPath, String, String, String, String, String, [String: Variant]>,
    Arguments<UInt32, [String: Variant]>
  >(
    "AccessDialog", of: interface,
    takes: ["handle", "app_id", "parent_window", "title", "subtitle", "body", "options"],
    returns: ["response", "results"])

  let bus: BusConnection
  /// The connection of the backend.
  let backend: BusName

  /// Shows the dialog and waits for a button.
  ///
  /// - Parameter closing: Fulfilled when the dialog is to be closed without an answer, and at the latest when the question has ended.
  func ask(
    _ question: PermissionQuestion, _ text: QuestionText, timeout: Duration, until closing: Promise<Void>
  ) async -> PromptResult {
    guard let request = PortalRequest(), text.options.count == 2 else { return .impossible }
    return await request.result(on: bus, backend: backend, until: closing) {
      await choose(request, question, showing: text, timeout: timeout)
    }
  }

  /// Calls the backend, until the reply, the timeout or the cancellation of the task.
  private func choose(
    _ request: PortalRequest, _ question: PermissionQuestion, showing text: QuestionText, timeout: Duration
  ) async -> PromptResult {
    do throws(BusError) {
      let (response, _) = try await bus.call(
        Self.accessDialog, at: RemoteObject(backend, PortalRequest.path), request.handle,
        question.application.rawValue, "", text.summary, "", text.body,
        [
          "grant_label": .string(text.options[0].label), "deny_label": .string(text.options[1].label),
          "icon": "dialog-question-symbolic", "modal": .boolean(false),
        ], timeout: timeout)
      // Response codes: 0 is the first button, 1 the second one, and 2 any other end.
      return response < 2 ? .answered(text.options[Int(response)].answer) : .closed
    } catch {
      return [.timeout, .cancelled].contains(error.busFailure) ? .late : .impossible
    }
  }
}
