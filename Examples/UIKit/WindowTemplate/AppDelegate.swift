// In the shape of “Specifying the scenes your app supports”, and of Xcode's template of an app.
// https://developer.apple.com/documentation/uikit/specifying-the-scenes-your-app-supports
import UIKitCompatibility

@main
class AppDelegate: UIResponder, UIApplicationDelegate {

  var discardedSessions = 0

  func application(
    _ application: UIApplication,
    didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool {
    // Override point for customization after application launch.
    true
  }

  // MARK: UISceneSession Lifecycle

  func application(
    _ application: UIApplication, configurationForConnecting connectingSceneSession: UISceneSession,
    options: UIScene.ConnectionOptions
  ) -> UISceneConfiguration {
    // Called when a new scene session is being created.
    UISceneConfiguration(name: "Default Configuration", sessionRole: connectingSceneSession.role)
  }

  func application(_ application: UIApplication, didDiscardSceneSessions sceneSessions: Set<UISceneSession>) {
    // Called when the user discards a scene session.
    discardedSessions += sceneSessions.count
  }
}
