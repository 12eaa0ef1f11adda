// In the shape of “didBecomeActiveNotification”, and of “Extending your app’s background execution time”.
// https://developer.apple.com/documentation/uikit/uiapplication/didbecomeactivenotification
// https://developer.apple.com/documentation/uikit/extending-your-app-s-background-execution-time
import UIKitCompatibility

@main
class AppDelegate: UIResponder, UIApplicationDelegate {

  var window: UIWindow?
  var events: [String] = []
  private var observers: [any NSObjectProtocol] = []
  private var backgroundTaskID: UIBackgroundTaskIdentifier = .invalid

  func application(
    _ application: UIApplication,
    didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]? = nil
  ) -> Bool {
    for name in [
      UIApplication.didBecomeActiveNotification, UIApplication.willResignActiveNotification,
      UIApplication.didEnterBackgroundNotification, UIApplication.willEnterForegroundNotification,
    ] {
      observe(name, of: application)
    }
    observe(UIScene.willConnectNotification, of: nil)
    observe(UIScene.didActivateNotification, of: nil)
    return true
  }

  private func observe(_ name: Notification.Name, of object: Any?) {
    observers.append(
      NotificationCenter.default.addObserver(forName: name, object: object, queue: nil) {
        [weak self] notification in
        let name = notification.name.rawValue
        MainActor.assumeIsolated {
          self?.received(name)
        }
      })
  }

  private func received(_ name: String) {
    events.append(name)
    if name == UIApplication.didEnterBackgroundNotification.rawValue {
      sendDataToServer()
    }
  }

  private func sendDataToServer() {
    backgroundTaskID = UIApplication.shared.beginBackgroundTask(withName: "Finish Network Tasks") {
      // End the task if time expires.
      UIApplication.shared.endBackgroundTask(self.backgroundTaskID)
      self.backgroundTaskID = .invalid
    }
    guard backgroundTaskID != .invalid, UIApplication.shared.backgroundTimeRemaining > 5 else { return }
    events.append("sent")
    UIApplication.shared.endBackgroundTask(backgroundTaskID)
    backgroundTaskID = .invalid
  }
}
