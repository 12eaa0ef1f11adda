// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
public import Scenes
import Synchronization

/// The running application.
@MainActor public final class UIApplication: UIResponder {
  private static var current: UIApplication?
  /// The objects of the applications of this process, of which a test runs several.
  private static var all: [ObjectIdentifier: UIApplication] = [:]

  /// The running application; before the launch, an application without a delegate.
  public static var shared: UIApplication {
    current ?? UIApplication()
  }

  private(set) var backing: Application?
  private var scenes: [String: UIScene] = [:]
  private var sessions: [String: UISceneSession] = [:]
  /// The dynamic quick actions, which a desktop entry does not have: its actions are static.
  public var shortcutItems: [UIApplicationShortcutItem]?

  /// Creates an application that does not run.
  public required init() {}

  /// Returns the object of an application.
  static func of(_ application: Application) -> UIApplication {
    if let known = all[ObjectIdentifier(application)] { return known }
    let object = UIApplication()
    object.backing = application
    all[ObjectIdentifier(application)] = object
    return object
  }

  /// Makes an application ``shared`` when it launches, and returns its object.
  static func launching(_ application: Application) -> UIApplication {
    let object = of(application)
    current = object
    UNUserNotificationCenter.current().attach(to: application)
    CLLocationManager.attachAll(to: application)
    CBManager.attachAll(to: application)
    return object
  }

  /// The application of `Scenes`, for what UIKit does not have, such as `downloads`; `nil` before the launch.
  public var application: Application? { backing }

  /// The delegate.
  public var delegate: (any UIApplicationDelegate)? { backing?.delegate as? any UIApplicationDelegate }

  /// The state of the application: that of its most active scene, if it has scenes.
  public var applicationState: State {
    guard let backing else { return .background }
    let states = backing.connectedScenes.map(\.activationState)
    for state in states.isEmpty ? [backing.activationState] : states where state == .foregroundActive {
      return .active
    }
    return (states.isEmpty ? [backing.activationState] : states).contains(.foregroundInactive)
      ? .inactive : .background
  }

  /// The connected scenes.
  public var connectedScenes: Set<UIScene> { Set((backing?.connectedScenes ?? []).map(scene)) }
  /// The sessions, connected or not.
  public var openSessions: Set<UISceneSession> { Set((backing?.openSessions ?? []).map(session)) }
  /// A Boolean value that is always `true`.
  public var supportsMultipleScenes: Bool { true }

  // MARK: - Opening URLs

  /// Returns `true` if an application would open the URL.
  ///
  /// It waits for the broker, at most two seconds. Prefer to open the URL and to handle the error.
  public func canOpenURL(_ url: URL) -> Bool {
    guard let backing else { return false }
    if let answer = backing.canOpenAtOnce(url.absoluteString) { return answer }
    let (answer, done) = (Answer(), DispatchSemaphore(value: 0))
    Task.detached {
      answer.set((try? await backing.canOpen(url.absoluteString)) ?? false)
      done.signal()
    }
    return done.wait(timeout: .now() + 2) == .success && answer.value
  }

  /// Opens a URL; the completion handler receives `true` if it was delivered, on the main actor.
  public func open(
    _ url: URL, options: [OpenExternalURLOptionsKey: Any] = [:],
    completionHandler completion: (@MainActor @Sendable (Bool) -> Void)? = nil
  ) {
    let onlyUniversalLinks = options[.universalLinksOnly] as? Bool ?? false
    let backing = backing
    Task { @MainActor in
      completion?(await Self.open(url, onlyUniversalLinks, by: backing))
    }
  }

  /// Opens a URL, and returns `true` if it was delivered.
  @discardableResult
  public func open(_ url: URL, options: [OpenExternalURLOptionsKey: Any] = [:]) async -> Bool {
    await Self.open(url, options[.universalLinksOnly] as? Bool ?? false, by: backing)
  }

  private static func open(_ url: URL, _ universalLinksOnly: Bool, by application: Application?) async -> Bool
  {
    var options = OpenExternalURLOptions()
    options.universalLinksOnly = universalLinksOnly
    let receipt = try? await application?.open(url, options: options)
    return receipt.map { $0.outcome >= .delivered } ?? false
  }

  // MARK: - Objects

  func session(_ session: SceneSession) -> UISceneSession {
    if let known = sessions[session.persistentIdentifier], known.backing === session { return known }
    let object = UISceneSession(session)
    sessions[session.persistentIdentifier] = object
    return object
  }

  func scene(_ scene: Scene) -> UIScene {
    if let known = scenes[scene.id], known.backing === scene { return known }
    let object = UIWindowScene()
    object.connect(scene, session(scene.session))
    scenes[scene.id] = object
    return object
  }

  func scene(of session: SceneSession) -> UIScene? { backing?.scene(of: session).map(scene) }

  func disconnected(_ scene: Scene) { scenes[scene.id] = nil }

  func discarded(_ discarded: [SceneSession]) {
    for session in discarded { sessions[session.persistentIdentifier] = nil }
  }

  /// The state of an application.
  public enum State: Int, Sendable {
    /// Visible, with user input.
    case active
    /// Visible, without user input.
    case inactive
    /// Not visible.
    case background
  }
}

/// A value that another thread sets.
private final class Answer: Sendable {
  private let stored = Mutex(false)
  var value: Bool { stored.withLock { $0 } }
  func set(_ value: Bool) { stored.withLock { $0 = value } }
}
