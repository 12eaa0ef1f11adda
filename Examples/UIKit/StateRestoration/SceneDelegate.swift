// In the shape of “Restoring your app’s state”.
// https://developer.apple.com/documentation/uikit/restoring-your-app-s-state
import UIKitCompatibility

class SceneDelegate: UIResponder, UIWindowSceneDelegate {
  static let activityType = "org.example.products.detail"
  static let identifierKey = "identifier"

  var product: String?

  func scene(
    _ scene: UIScene, willConnectTo session: UISceneSession,
    options connectionOptions: UIScene.ConnectionOptions
  ) {
    if let userActivity = connectionOptions.userActivities.first ?? session.stateRestorationActivity {
      configure(with: userActivity)
    }
    scene.userActivity = session.stateRestorationActivity ?? NSUserActivity(activityType: Self.activityType)
  }

  func stateRestorationActivity(for scene: UIScene) -> NSUserActivity? {
    guard let product, let activity = scene.userActivity else { return nil }
    activity.addUserInfoEntries(from: [Self.identifierKey: product])
    return activity
  }

  func scene(_ scene: UIScene, openURLContexts URLContexts: Set<UIOpenURLContext>) {
    product = URLContexts.first?.url.lastPathComponent
  }

  private func configure(with activity: NSUserActivity) {
    guard activity.activityType == Self.activityType else { return }
    product = activity.userInfo?[Self.identifierKey] as? String
  }
}
