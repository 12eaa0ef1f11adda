// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
package import Triggers

/// The registration for notifications of the application's server.
///
/// The calls have an effect in their order, one after the other.
extension Application {
  /// Registers the application for notifications of its server, by the user's push distributor.
  ///
  /// The delegate receives either the token, which the application sends to its server, or an error, after the requests before
  /// it. Call the method at each start, because the distributor may have lost the registration. While the application runs, the
  /// delegate receives the token again if the distributor replaces it, and an error if the distributor ends the registration. After
  /// the session bus was lost, the registration is repeated when the bus returns.
  ///
  /// An application with one closure calls ``UserNotificationCenter/registerForRemoteNotifications(vapid:)`` instead.
  ///
  /// - Parameter key: The public key of the application's server (RFC 8292, 87 characters of base64url), which a distributor
  ///   may require; `nil` keeps that of the registration.
  public func registerForRemoteNotifications(vapid key: String? = nil) {
    enqueue { application in
      application.update { $0.registration.request = RemoteRegistration.Request(vapid: key) }
      await application.followToken()
      do throws(SceneError) {
        await application.report(.registered(try await application.triggers.register(vapid: key)))
      } catch {
        await application.report(.failed(error.busError))
      }
    }
  }

  /// Ends the registration, so that messages of the server are dropped.
  public func unregisterForRemoteNotifications() {
    enqueue { application in
      // UIKit reports no error either; `UserNotificationCenter` does.
      try? await application.triggers.unregister()
      application.update { ($0.registration.token, $0.registration.request) = (nil, nil) }
    }
  }

  /// A Boolean value that is `true` if the delegate has received a token in this process, and the registration has not ended.
  public var isRegisteredForRemoteNotifications: Bool { update { $0.registration.token != nil } }

  /// Reports a token that the distributor has replaced; `nil` for a registration that it has ended.
  ///
  /// An application that has not registered in this process is not informed: it gets the token when it registers.
  package func tokenChanged(_ token: RemoteNotificationToken?) {
    enqueue { application in
      let known = application.update { $0.registration.token }
      guard let known, token != known else { return }
      // The report of the end may be older than the registration that followed it.
      if token == nil, (try? await application.triggers.isRegistered()) == true { return }
      if token == nil { application.update { $0.registration.request = nil } }
      await application.report(token.map(RegistrationResult.registered) ?? .failed(RegistrationResult.ended))
    }
  }

  /// Waits until the earlier calls have had their effect, and the delegate was informed.
  package nonisolated(nonsending) func untilRegistered() async {
    await update { $0.registration.last }?.value
  }

  private func enqueue(_ body: @escaping @Sendable (Application) async -> Void) {
    update { state in
      state.registration.last = Task { [last = state.registration.last, self] in
        await last?.value
        await body(self)
      }
    }
  }

  /// Follows the changes of the token, from the first registration.
  private func followToken() async {
    let isFollowed = update { state in
      defer { state.registration.isFollowed = true }
      return state.registration.isFollowed
    }
    guard !isFollowed else { return }
    guard let changes = try? await triggers.tokenChanges() else {
      return update { $0.registration.isFollowed = false }
    }
    Task { [weak self] in
      for await token in changes { self?.tokenChanged(token) }
      // The connection was closed; the next registration follows the changes again.
      self?.update { $0.registration.isFollowed = false }
    }
    let reconnections = await triggers.reconnections()
    Task { [weak self] in
      for await _ in reconnections { self?.registerAgain(after: Self.pauses) }
    }
  }

  /// The times after which a repeated registration that fails is attempted again: the distributor of the next bus may start late.
  private static let pauses: [Duration] = [.seconds(1), .seconds(5), .seconds(30), .seconds(120)]

  /// Repeats the registration on the next bus, whose distributor may not have it.
  ///
  /// The delegate receives the token only if it is not the known one. An error is not reported, because the token that the delegate
  /// has remains valid until the distributor replaces it.
  private func registerAgain(after pauses: [Duration]) {
    enqueue { application in
      guard let request = application.update({ $0.registration.request }) else { return }
      guard let token = try? await application.triggers.register(vapid: request.vapid) else {
        return application.registerLater(after: pauses)
      }
      guard token != application.update({ $0.registration.token }) else { return }
      await application.report(.registered(token))
    }
  }

  private func registerLater(after pauses: [Duration]) {
    guard let pause = pauses.first else { return }
    Task { [weak self] in
      guard (try? await Task.sleep(for: pause)) != nil else { return }
      self?.registerAgain(after: Array(pauses.dropFirst()))
    }
  }

  /// Stores a result, and passes it to the delegate.
  private func report(_ result: RegistrationResult) async {
    let server = update { state in
      state.registration.token = if case .registered(let token) = result { token } else { nil }
      return state.server
    }
    // It fails if the application is terminating, and needs the result no more.
    try? await server?.handleOwn(.report(result), nil)
  }
}

/// The registration of an application in this process.
struct RemoteRegistration {
  /// The call that is repeated when the bus returns.
  struct Request {
    /// The public key of the application's server; `nil` for that of the registration.
    var vapid: String?
  }

  /// The last call of the application; `nil` if it has not registered, or if the registration has ended.
  var request: Request?
  /// The token that the delegate has received; `nil` without a registration.
  var token: RemoteNotificationToken?
  /// The last call, which the next one follows.
  var last: Task<Void, Never>?
  /// A Boolean value that is `true` if changes of the token are reported.
  var isFollowed = false
}

/// The result of a registration for remote notifications, or a later change of it.
enum RegistrationResult: Hashable, Sendable {
  case registered(RemoteNotificationToken)
  case failed(BusError)

  static let ended = BusError(
    .failed,
    "the push distributor or the user has ended the registration; register again when the user has enabled it"
  )
}

extension ApplicationDelegate {
  /// Calls the method for the result of a registration.
  nonisolated(nonsending) func report(_ result: RegistrationResult, _ application: Application) async {
    switch result {
    case .registered(let token):
      await self.application(application, didRegisterForRemoteNotificationsWithDeviceToken: token)
    case .failed(let error):
      await self.application(
        application, didFailToRegisterForRemoteNotificationsWithError: SceneError.notificationsFailed(error))
    }
  }
}

extension SceneError {
  /// The error of the bus; for any other error, an error of the bus with its description.
  fileprivate var busError: BusError {
    if case .notificationsFailed(let error) = self { error } else { BusError(.failed, description) }
  }

  /// Creates the error of a registration for remote notifications that fails, for tests.
  public static func notRegistered(_ message: String) -> SceneError {
    .notificationsFailed(BusError(.failed, message))
  }
}
