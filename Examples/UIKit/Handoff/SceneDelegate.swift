// In the shape of “Implementing Handoff in your app”.
// https://developer.apple.com/documentation/foundation/implementing-handoff-in-your-app
import UIKitCompatibility

class SceneDelegate: UIResponder, UIWindowSceneDelegate {
  var progress: [String] = []

  func scene(_ scene: UIScene, willContinueUserActivityWithType userActivityType: String) {
    progress.append("waiting for \(userActivityType)")
  }

  func scene(_ scene: UIScene, continue userActivity: NSUserActivity) {
    let text = userActivity.userInfo?["text"] as? String ?? ""
    progress.append("continuing \(text)")
  }

  func scene(
    _ scene: UIScene, didFailToContinueUserActivityWithType userActivityType: String, error: Error
  ) {
    progress.append("failed: \(error)")
  }
}
