// SPDX-License-Identifier: Apache-2.0
public import BusInterfaces
public import Scenes
public import Triggers

/// The dependencies of an application under test, with defaults for all of them.
///
/// ```swift
/// var dependencies = Dependencies()
/// dependencies.opening = { request in throw .notOpened(.noHandler, "nothing opens \(request.urls)") }
/// let app = TestApplication(delegate: NotesDelegate(), in: dependencies)
/// ```
public struct Dependencies: Sendable {
  /// The application's desktop-file ID.
  public var applicationID = "org.example.Application"
  /// The policy for the names of source applications.
  public var sourceApplicationPolicy = SourceApplicationPolicy.verified
  /// The form in which http and https links arrive.
  public var webLinks = WebLinkDelivery.urls
  /// The directory of the stored sessions, which a second application can read; `nil` stores none.
  public var stateDirectory: String?
  /// The directory of the deduplication journal, which a second application can read; `nil` for none.
  public var runtimeDirectory: String?
  /// Enables answers to callers in the form of x-callback-url; the callback URLs are then among the opened URLs.
  public var answersCallbacks = false
  /// The function that opens the application's own URLs; by default each reaches the progress that the request waits for.
  public var opening: @Sendable (OutgoingRequest) async throws(SceneError) -> Receipt = { request in
    Receipt(
      requestID: request.options.requestID ?? "",
      deliveries: [Delivery(application: nil, outcome: request.options.wait.outcome)])
  }
  /// The function that decides which URLs can be opened; by default all.
  public var canOpen: @Sendable (String) -> Bool = { _ in true }

  /// The user's answer to the request for authorization of notifications.
  public var allowsNotifications = true
  /// The user's answer to the request for the location.
  public var allowsLocation = true
  /// The user's answer to the request for Bluetooth devices.
  public var allowsBluetooth = true
  /// The function that registers for remote notifications; by default it returns a token with the endpoint
  /// `https://push.example.org/1`.
  ///
  /// Its argument is the public key of the application's server, if the application names one. It throws
  /// `SceneError.notRegistered(_:)` to make the registration fail.
  public var registering: @Sendable (_ vapid: String?) async throws(SceneError) -> RemoteNotificationToken = {
    _ in
    RemoteNotificationToken(
      endpoint: "https://push.example.org/1", publicKey: [4] + [UInt8](repeating: 1, count: 64),
      authenticationSecret: [UInt8](repeating: 2, count: 16))
  }

  /// Creates the default dependencies.
  public init() {}
}
