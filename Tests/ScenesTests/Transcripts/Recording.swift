// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import FoundationEssentials
import Scenes
import Synchronization
import TestSupport

/// The behaviour of a test's delegate, apart from recording its calls.
struct Behaviour: Sendable {
  var willFinish = true
  var didFinish = true
  /// The conditions of each scene, in the order of their connection.
  var conditions: [SceneActivationConditions] = []
  /// The result of a connected scene for a URL.
  var opens: @Sendable (Scene, String) async throws -> SceneResult = { _, _ in .handled }
  /// Awaited in `didFinishLaunching`.
  var ready: @Sendable () async -> Void = {}
  /// A Boolean value that is `true` if `didFinishLaunching` creates a location manager.
  var monitorsLocation = false
  /// The restoration identifier of the central manager that `didFinishLaunching` creates; `nil` for none.
  var centralIdentifier: String?
  /// The restoration identifier of the peripheral manager that `didFinishLaunching` creates; `nil` for none.
  var peripheralIdentifier: String?
  /// The result of a registration for remote notifications, by the key of the server; `nil` if there is no such service.
  var registering: (@Sendable (String?) async throws(SceneError) -> RemoteNotificationToken)?
}

/// A delegate of a location manager that records its calls.
final class RecordingLocationDelegate: LocationManagerDelegate {
  private let transcript: Transcript

  init(_ transcript: Transcript) { self.transcript = transcript }

  func locationManager(_ manager: LocationManager, didEnterRegion region: CircularRegion) async {
    await transcript.add("locationManager(_:didEnterRegion:)", region.identifier)
  }

  func locationManager(_ manager: LocationManager, didExitRegion region: CircularRegion) async {
    await transcript.add("locationManager(_:didExitRegion:)", region.identifier)
  }

  func locationManager(_ manager: LocationManager, didUpdateLocations locations: [Location]) async {
    await transcript.add(
      "locationManager(_:didUpdateLocations:)", locations.map { "\($0.coordinate.latitude)" }.joined())
  }
}

/// A delegate of a central manager that records its calls.
final class RecordingCentralDelegate: CentralManagerDelegate {
  private let transcript: Transcript

  init(_ transcript: Transcript) { self.transcript = transcript }

  func centralManager(_ manager: CentralManager, willRestoreState central: BluetoothCentral) async {
    await transcript.add("centralManager(_:willRestoreState:)", central.identifier)
  }

  func centralManager(
    _ manager: CentralManager, connectionEventDidOccur event: BluetoothConnectionEvent,
    for device: BluetoothDevice
  ) async {
    await transcript.add(
      "centralManager(_:connectionEventDidOccur:for:)", "\(event)", device.name ?? device.address.text)
  }

  func centralManager(_ manager: CentralManager, didDiscover device: BluetoothDevice) async {
    await transcript.add("centralManager(_:didDiscover:)", device.name ?? device.address.text)
  }
}

/// A delegate of a peripheral manager that records its calls.
final class RecordingPeripheralDelegate: PeripheralManagerDelegate {
  private let transcript: Transcript

  init(_ transcript: Transcript) { self.transcript = transcript }

  func peripheralManager(_ manager: PeripheralManager, willRestoreState peripheral: BluetoothPeripheral) async
  {
    await transcript.add("peripheralManager(_:willRestoreState:)", peripheral.identifier)
  }

  func peripheralManager(
    _ manager: PeripheralManager, didReceiveRead request: BluetoothReadRequest
  ) async -> [UInt8]? {
    await transcript.add("peripheralManager(_:didReceiveRead:)")
    return [7]
  }

  func peripheralManager(
    _ manager: PeripheralManager, didReceiveWrite request: BluetoothWriteRequest
  ) async {
    await transcript.add("peripheralManager(_:didReceiveWrite:)", "\(request.value)")
  }

  func peripheralManager(
    _ manager: PeripheralManager, didSubscribeTo characteristic: BluetoothCharacteristicID
  ) async {
    await transcript.add("peripheralManager(_:didSubscribeTo:)")
  }

  func peripheralManager(
    _ manager: PeripheralManager, didUnsubscribeFrom characteristic: BluetoothCharacteristicID
  ) async {
    await transcript.add("peripheralManager(_:didUnsubscribeFrom:)")
  }
}

/// A delegate that records its calls.
final class RecordingDelegate: ApplicationDelegate {
  let transcript: Transcript
  private let location = Mutex<(LocationManager, RecordingLocationDelegate)?>(nil)
  private let central = Mutex<(CentralManager, RecordingCentralDelegate)?>(nil)
  private let peripheral = Mutex<(PeripheralManager, RecordingPeripheralDelegate)?>(nil)
  let behaviour: Behaviour
  let running = AsyncStream<Application>.makeStream()

  init(_ transcript: Transcript, _ behaviour: Behaviour = Behaviour()) {
    self.transcript = transcript
    self.behaviour = behaviour
  }

  func application(
    _ application: Application, willFinishLaunchingWithOptions options: LaunchOptions?
  ) async -> Bool {
    running.continuation.yield(application)
    await transcript.add("application(_:willFinishLaunchingWithOptions:)", described(options))
    return behaviour.willFinish
  }

  func application(
    _ application: Application, didFinishLaunchingWithOptions options: LaunchOptions?
  ) async -> Bool {
    await transcript.add("application(_:didFinishLaunchingWithOptions:)", described(options))
    if behaviour.monitorsLocation {
      let (manager, delegate) = (LocationManager(of: application), RecordingLocationDelegate(transcript))
      manager.delegate = delegate
      location.withLock { $0 = (manager, delegate) }
    }
    if let identifier = behaviour.centralIdentifier {
      let manager = CentralManager(of: application, restorationIdentifier: identifier)
      let delegate = RecordingCentralDelegate(transcript)
      manager.delegate = delegate
      central.withLock { $0 = (manager, delegate) }
    }
    if let identifier = behaviour.peripheralIdentifier {
      let manager = PeripheralManager(of: application, restorationIdentifier: identifier)
      let delegate = RecordingPeripheralDelegate(transcript)
      manager.delegate = delegate
      peripheral.withLock { $0 = (manager, delegate) }
    }
    await behaviour.ready()
    return behaviour.didFinish
  }

  func application(_ application: Application, open url: URL, options: OpenURLOptions) async throws -> Bool {
    await transcript.add(
      "application(_:open:options:)", url.absoluteString,
      described(options[.sourceApplication], options[.annotation]))
    return true
  }

  func application(_ application: Application, willContinueUserActivityWithType type: String) async -> Bool {
    await transcript.add("application(_:willContinueUserActivityWithType:)", type)
    return true
  }

  func application(_ application: Application, continue activity: UserActivity) async throws -> Bool {
    await transcript.add("application(_:continue:)", activity.activityType)
    return true
  }

  func application(
    _ application: Application, didFailToContinueUserActivityWithType type: String, error: any Error
  ) async {
    await transcript.add("application(_:didFailToContinueUserActivityWithType:error:)", type, "\(error)")
  }

  func application(_ application: Application, performActionFor item: ShortcutItem) async throws -> Bool {
    await transcript.add("application(_:performActionFor:)", item.type, item.parameter?.json ?? "")
    return true
  }

  func application(
    _ application: Application, willPresent notification: UserNotification
  ) async throws -> NotificationPresentationOptions {
    await transcript.add("application(_:willPresent:)", notification.body ?? "")
    return [.banner, .sound]
  }

  func application(_ application: Application, didReceive notification: UserNotification) async throws {
    await transcript.add("application(_:didReceive:) notification", notification.body ?? "")
  }

  func application(
    _ application: Application, handleActionWithIdentifier identifier: String,
    for notification: UserNotification
  ) async throws {
    await transcript.add(
      "application(_:handleActionWithIdentifier:for:)", identifier, notification.body ?? "")
  }

  func application(
    _ application: Application, userDidAcceptCloudKitShareWith metadata: PropertyList
  ) async throws {
    await transcript.add("application(_:userDidAcceptCloudKitShareWith:)", metadata.json)
  }

  func application(
    _ application: Application,
    didRegisterForRemoteNotificationsWithDeviceToken deviceToken: RemoteNotificationToken
  ) async {
    await transcript.add(
      "application(_:didRegisterForRemoteNotificationsWithDeviceToken:)", deviceToken.json)
  }

  func application(
    _ application: Application, didFailToRegisterForRemoteNotificationsWithError error: any Error
  ) async {
    await transcript.add("application(_:didFailToRegisterForRemoteNotificationsWithError:)", "\(error)")
  }

  func application(
    _ application: Application, didReceiveRemoteNotification notification: UserNotification
  ) async throws -> BackgroundFetchResult {
    await transcript.add("application(_:didReceiveRemoteNotification:)", notification.body ?? "")
    return .newData
  }

  func application(_ application: Application, didFinish download: FinishedDownload) async throws {
    await transcript.add(
      "application(_:didFinish:)", download.identifier, download.outcome.rawValue,
      download.file ?? download.error ?? "")
  }

  func application(_ application: Application, didReceive request: SceneRequest) async throws -> SceneResult {
    await transcript.add("application(_:didReceive:) request", request.reason.rawValue)
    return .handled
  }

  func applicationWillEnterForeground(_ application: Application) async {
    await transcript.add("applicationWillEnterForeground(_:)")
  }

  func applicationDidBecomeActive(_ application: Application) async {
    await transcript.add("applicationDidBecomeActive(_:)")
  }

  func applicationWillResignActive(_ application: Application) async {
    await transcript.add("applicationWillResignActive(_:)")
  }

  func applicationDidEnterBackground(_ application: Application) async {
    await transcript.add("applicationDidEnterBackground(_:)")
  }

  func applicationWillTerminate(_ application: Application) async {
    await transcript.add("applicationWillTerminate(_:)")
  }

  func application(
    _ application: Application, configurationForConnecting session: SceneSession, options: ConnectionOptions
  ) async -> SceneConfiguration {
    await transcript.add(
      "application(_:configurationForConnecting:options:)", await transcript.name(session), described(options)
    )
    let scene = RecordingScene(transcript, behaviour, number: application.openSessions.count - 1)
    return SceneConfiguration { scene }
  }

  func application(_ application: Application, didDiscardSceneSessions sessions: [SceneSession]) async {
    for session in sessions {
      await transcript.add("application(_:didDiscardSceneSessions:)", await transcript.name(session))
    }
  }
}

/// A scene delegate that records its calls.
struct RecordingScene: SceneDelegate {
  let transcript: Transcript
  let behaviour: Behaviour
  let number: Int

  init(_ transcript: Transcript, _ behaviour: Behaviour, number: Int) {
    self.transcript = transcript
    self.behaviour = behaviour
    self.number = number
  }

  private func add(_ call: String, _ scene: Scene, _ details: String = "") async {
    await transcript.add(call, await transcript.name(scene.session), details)
  }

  func scene(
    _ scene: Scene, willConnectTo session: SceneSession, options: ConnectionOptions
  ) async throws -> SceneResult {
    if behaviour.conditions.indices.contains(number) {
      scene.activationConditions = behaviour.conditions[number]
    }
    let restored =
      session.stateRestorationActivity.map { "restores \($0.webpageURL ?? $0.activityType)" } ?? ""
    await add(
      "scene(_:willConnectTo:options:)", scene,
      [described(options), restored].filter { !$0.isEmpty }.joined(separator: " "))
    return .handled
  }

  func scene(_ scene: Scene, openURLContexts contexts: [OpenURLContext]) async throws -> SceneResult {
    await add("scene(_:openURLContexts:)", scene, described(contexts))
    return try await behaviour.opens(scene, contexts.first?.urlString ?? "")
  }

  func scene(_ scene: Scene, willContinueUserActivityWithType type: String) async {
    await add("scene(_:willContinueUserActivityWithType:)", scene, type)
  }

  func scene(_ scene: Scene, continue activity: UserActivity) async throws {
    await add("scene(_:continue:)", scene, activity.activityType)
  }

  func scene(
    _ scene: Scene, didFailToContinueUserActivityWithType type: String, error: any Error
  ) async {
    await add("scene(_:didFailToContinueUserActivityWithType:error:)", scene, type)
  }

  func scene(_ scene: Scene, performActionFor item: ShortcutItem) async throws -> Bool {
    await add("scene(_:performActionFor:)", scene, item.type)
    return true
  }

  func scene(_ scene: Scene, didReceive response: NotificationResponse) async throws {
    await add(
      "scene(_:didReceive:)", scene, "\(response.actionIdentifier) of “\(response.notification.body ?? "")”")
  }

  func sceneWillEnterForeground(_ scene: Scene) async { await add("sceneWillEnterForeground(_:)", scene) }
  func sceneDidBecomeActive(_ scene: Scene) async { await add("sceneDidBecomeActive(_:)", scene) }
  func sceneWillResignActive(_ scene: Scene) async { await add("sceneWillResignActive(_:)", scene) }
  func sceneDidEnterBackground(_ scene: Scene) async { await add("sceneDidEnterBackground(_:)", scene) }
  func sceneDidDisconnect(_ scene: Scene) async { await add("sceneDidDisconnect(_:)", scene) }
}

// MARK: - Formatting

func described(_ source: String?, _ annotation: PropertyList?) -> String {
  [source.map { "from \($0)" }, annotation.map { "with \($0.json)" }].compactMap(\.self).joined(
    separator: " ")
}

func described(_ contexts: [OpenURLContext]) -> String {
  let urls = contexts.map(\.urlString).joined(separator: " ")
  guard let options = contexts.first?.options else { return "" }
  return [urls, described(options.sourceApplication, options.annotation)].filter { !$0.isEmpty }.joined(
    separator: " ")
}

func described(_ options: LaunchOptions?) -> String {
  guard let options else { return "nil" }
  var parts: [String] = []
  if let url = options[.url] { parts.append("url=\(url.absoluteString)") }
  if let source = options[.sourceApplication] { parts.append("sourceApplication=\(source)") }
  if let annotation = options[.annotation] { parts.append("annotation=\(annotation.json)") }
  if let notification = options[.remoteNotification] {
    parts.append("remoteNotification=\(notification.payload.json)")
  }
  if let notification = options[.localNotification] {
    parts.append("localNotification=\(notification.payload.json)")
  }
  if let item = options[.shortcutItem] { parts.append("shortcutItem=\(item.type)") }
  if options[.location] == true { parts.append("location=true") }
  if let names = options[.bluetoothCentrals] { parts.append("bluetoothCentrals=\(names)") }
  if let names = options[.bluetoothPeripherals] { parts.append("bluetoothPeripherals=\(names)") }
  if let names = options[.newsstandDownloads] { parts.append("newsstandDownloads=\(names)") }
  if let type = options[.userActivityType] { parts.append("userActivityType=\(type)") }
  if let activity = options[.userActivityDictionary] {
    parts.append("userActivityDictionary=\(PropertyList.dictionary(activity).json)")
  }
  if let metadata = options[.cloudKitShareMetadata] { parts.append("cloudKitShareMetadata=\(metadata.json)") }
  if let attribution = options[.eventAttribution] { parts.append("eventAttribution=\(attribution.json)") }
  return parts.joined(separator: " ")
}

func described(_ options: ConnectionOptions) -> String {
  var parts: [String] = []
  if !options.urlContexts.isEmpty { parts.append("urlContexts=[\(described(options.urlContexts))]") }
  if let activity = options.userActivities.first { parts.append("userActivities=[\(activity.activityType)]") }
  if let type = options.handoffUserActivityType { parts.append("handoffUserActivityType=\(type)") }
  if let response = options.notificationResponse {
    parts.append("notificationResponse=\(response.actionIdentifier) of “\(response.notification.body ?? "")”")
  }
  if let item = options.shortcutItem { parts.append("shortcutItem=\(item.type)") }
  if let metadata = options.cloudKitShareMetadata { parts.append("cloudKitShareMetadata=\(metadata.json)") }
  return parts.joined(separator: " ")
}
