// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import Scenes
import Synchronization
import Triggers

/// A replacement for `usher-triggers`, which keeps the notifications, regions, centrals, peripherals and downloads in memory; a test decides on their
/// events.
final class NotificationBoard: TriggersService {
  /// The notifications, categories and badge of the application.
  struct State {
    var isAuthorized: Bool?
    var options: NotificationAuthorizationOptions = []
    var pending: [NotificationRequest] = []
    var delivered: [(request: NotificationRequest, date: WallTime)] = []
    var categories: [NotificationCategory] = []
    var badge: UInt32 = 0
    var isLocationAuthorized: Bool?
    /// The regions in the order in which they were added.
    var regions: [MonitoredRegion] = []
    var monitorsSignificantChanges = false
    /// The unfinished downloads in the order in which they were added.
    var downloads: [TestDownload] = []
    /// The streams of progress.
    var progressFollowers: [AsyncStream<DownloadProgress>.Continuation] = []
    var isBluetoothAuthorized: Bool?
    /// The centrals in the order in which they were added.
    var centrals: [BluetoothCentral] = []
    /// The peripherals in the order in which they were added.
    var peripherals: [BluetoothPeripheral] = []
    /// The values to which a device has subscribed, each as `IDENTIFIER/SERVICE/CHARACTERISTIC`.
    var subscriptions: Set<String> = []
    /// The values that were sent to devices.
    var sentValues: [BluetoothValueUpdate] = []
    /// The streams of tokens that replace the one of the registration.
    var followers: [AsyncStream<RemoteNotificationToken?>.Continuation] = []
  }

  let dependencies: Dependencies
  private let state = Mutex(State())

  init(_ dependencies: Dependencies) { self.dependencies = dependencies }

  func update<Value: Sendable>(_ body: (inout State) -> Value) -> Value { state.withLock { body(&$0) } }

  func requestAuthorization(_ options: NotificationAuthorizationOptions) async throws(SceneError) -> Bool {
    update { state in
      state.options.formUnion(options)
      state.isAuthorized = dependencies.allowsNotifications
      return dependencies.allowsNotifications
    }
  }

  func settings() async throws(SceneError) -> NotificationSettings {
    let (isAuthorized, options) = update { ($0.isAuthorized, $0.options) }
    func setting(_ option: NotificationAuthorizationOptions) -> NotificationSettings.Setting {
      isAuthorized == true && options.contains(option) ? .enabled : .disabled
    }
    return NotificationSettings(
      authorizationStatus: isAuthorized.map { $0 ? .authorized : .denied } ?? .notDetermined,
      alertSetting: setting(.alert), soundSetting: setting(.sound), badgeSetting: setting(.badge),
      showsActions: true, acceptsText: true)
  }

  func add(_ request: NotificationRequest) async throws(SceneError) {
    // The request passes the checks of `usher-triggers`, so that a test notices a value that is not allowed.
    let checked: NotificationRequest
    do throws(MessageError) { checked = try NotificationRequest(request.propertyList) } catch {
      throw .notificationsFailed(BusError(error))
    }
    let refusal: BusError? = update { state in
      guard state.isAuthorized == true else {
        return BusError(.denied, "the user does not allow notifications of this application")
      }
      if case .region? = checked.trigger, state.isLocationAuthorized != true { return Self.locationRefusal }
      state.pending.removeAll { $0.identifier == checked.identifier }
      guard state.pending.count < NotificationLimits.pendingOfApplication else {
        return BusError(
          .tooMany, "the application has \(NotificationLimits.pendingOfApplication) pending notifications")
      }
      state.pending.append(checked)
      return nil
    }
    if let refusal { throw .notificationsFailed(refusal) }
  }

  func pending() async throws(SceneError) -> [NotificationRequest] { update { $0.pending } }

  func delivered() async throws(SceneError) -> [UserNotification] {
    update { state in state.delivered.reversed().map { UserNotification($0.request, date: $0.date) } }
  }

  func removePending(_ identifiers: [String]?) async throws(SceneError) {
    update { state in state.pending.removeAll { identifiers?.contains($0.identifier) ?? true } }
  }

  func removeDelivered(_ identifiers: [String]?) async throws(SceneError) {
    update { state in state.delivered.removeAll { identifiers?.contains($0.request.identifier) ?? true } }
  }

  func setCategories(_ categories: [NotificationCategory]) async throws(SceneError) {
    update { $0.categories = categories.sorted { $0.identifier < $1.identifier } }
  }

  func categories() async throws(SceneError) -> [NotificationCategory] { update { $0.categories } }

  func setBadge(_ count: UInt32) async throws(SceneError) { update { $0.badge = count } }

  func register(vapid: String?) async throws(SceneError) -> RemoteNotificationToken {
    try await dependencies.registering(vapid)
  }

  /// The registration that a test reports as ended is the latest one.
  func isRegistered() async throws(SceneError) -> Bool { false }

  func unregister() async throws(SceneError) {}

  func tokenChanges() async throws(SceneError) -> AsyncStream<RemoteNotificationToken?> {
    let (changes, continuation) = AsyncStream<RemoteNotificationToken?>.makeStream()
    update { $0.followers.append(continuation) }
    return changes
  }

  /// There is no bus that is lost.
  func reconnections() async -> AsyncStream<Void> { AsyncStream { $0.finish() } }
}
