// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import BrokerService
import BusInterfaces
import DBus
import Freedesktop

/// The rule which caller may act for which application.
@BrokerActor
final class CallerAccess {
  /// A permitted call.
  struct Access: Sendable {
    /// The application.
    let application: ApplicationID
    /// A Boolean value that is `true` if the call is the user's, and not the application's.
    let isOfUser: Bool
    /// A Boolean value that is `true` unless the caller is certainly outside a sandbox.
    let mayBeSandboxed: Bool
  }

  /// The applications whose items a caller may see.
  struct Visibility: Sendable {
    private let application: String?

    /// Creates the visibility of the items of an application, or of all applications for `nil`.
    init(of application: String?) { self.application = application }

    /// Returns whether the caller may see the items of an application.
    func includes(_ application: String) -> Bool {
      self.application?.isSpelt(like: application) ?? true
    }
  }

  private let identification: SourceIdentification
  /// The command, which is installed in another directory than the daemon; built programs are in one.
  private let commands = [
    UsherProgram(at: "usher-command"), UsherProgram(at: "../libexec/usher/usher-command"),
  ]

  init(_ identification: SourceIdentification) { self.identification = identification }

  /// Returns the application for which `sender` may act.
  ///
  /// - Parameter text: The application as the caller names it; empty for its own.
  /// - Throws: `AccessDenied`, or `InvalidRequest` if the text is no ID, or the caller no application.
  func access(to text: String, for sender: BusName) async throws(BusError) -> Access {
    let (own, actsForUser, mayBeSandboxed) = try await caller(sender)
    guard !text.isEmpty else {
      guard let own else {
        throw BusError(
          .invalidRequest,
          "the caller cannot be identified as an application; pass the desktop-file ID of the application")
      }
      return Access(application: own, isOfUser: false, mayBeSandboxed: mayBeSandboxed)
    }
    guard let application = await identification.application(spelled: text) else {
      throw BusError(.invalidRequest, "“\(text)” is not a desktop-file ID such as org.example.Notes")
    }
    if own?.rawValue.isSpelt(like: application.rawValue) == true {
      return Access(application: application, isOfUser: false, mayBeSandboxed: mayBeSandboxed)
    }
    guard actsForUser else {
      let name = own.map { "“\($0.rawValue)”" } ?? "a sandboxed program"
      throw BusError(
        .accessDenied, "\(name) may not act for “\(application.rawValue)”, only for itself")
    }
    return Access(application: application, isOfUser: true, mayBeSandboxed: mayBeSandboxed)
  }

  /// Returns the applications whose items `sender` may see: all, if it acts for the user, and otherwise its own.
  func visibility(for sender: BusName) async throws(BusError) -> Visibility {
    let (own, actsForUser, _) = try await caller(sender)
    if actsForUser { return Visibility(of: nil) }
    guard let own else {
      throw BusError(
        .accessDenied, "a sandboxed program that cannot be identified may not use usher-triggers")
    }
    return Visibility(of: own.rawValue)
  }

  /// Returns the verified application of a caller, and whether the caller acts for the user.
  ///
  /// Usher's command acts for the user also in the unit of a terminal emulator.
  private func caller(
    _ sender: BusName
  ) async throws(BusError) -> (application: ApplicationID?, actsForUser: Bool, mayBeSandboxed: Bool) {
    let caller = try await identification.caller(sender)
    let own = caller.source.assurance >= .executable ? caller.source.id : nil
    let isCommand = commands.contains { $0.isRun(as: caller.program) }
    let mayBeSandboxed = caller.source.mayBeSandboxed
    return (own, !mayBeSandboxed && (own == nil || isCommand), mayBeSandboxed)
  }
}
