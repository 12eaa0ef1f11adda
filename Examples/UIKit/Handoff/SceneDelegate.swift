// In the shape of “Implementing Handoff in your app”.
// https://developer.apple.com/documentation/foundation/implementing-handoff-in-your-app
import UIKitCompatibility

class SceneDelegate: UIResponder, UIWindowSceneDelegate {
  var progress: [String] = []

  func scene(
    _ scene: UIScene, willConnectTo session: UISceneSession,
    options connectionOptions: UIScene.ConnectionOptions
  ) {
    connectionOptions.userActivities.forEach(continueActivity)
  }

  func scene(_ scene: UIScene, willContinueUserActivityWithType userActivityType: String) {
    progress.append("waiting for \(userActivityType)")
  }

  func scene(_ scene: UIScene, continue userActivity: NSUserActivity) {
    continueActivity(userActivity)
  }

  func scene(
    _ scene: UIScene, didFailToContinueUserActivityWithType userActivityType: String, error: Error
  ) {
    progress.append("failed: \(error)")
  }

  private func continueActivity(_ userActivity: NSUserActivity) {
    if userActivity.activityType == NSUserActivityTypeBrowsingWeb {
      // The user has sent a web page from another device.
      progress.append("reading \(userActivity.webpageURL?.absoluteString ?? "")")
    } else {
      progress.append("continuing \(userActivity.userInfo?["text"] as? String ?? "")")
    }
  }
}
