// In the shape of “Supporting universal links in your app”, with a scene delegate.
// https://developer.apple.com/documentation/xcode/supporting-universal-links-in-your-app
import UIKitCompatibility

class SceneDelegate: UIResponder, UIWindowSceneDelegate {
  var album: String?

  func scene(
    _ scene: UIScene, willConnectTo session: UISceneSession,
    options connectionOptions: UIScene.ConnectionOptions
  ) {
    guard let userActivity = connectionOptions.userActivities.first else { return }
    show(userActivity)
  }

  func scene(_ scene: UIScene, continue userActivity: NSUserActivity) {
    show(userActivity)
  }

  private func show(_ userActivity: NSUserActivity) {
    guard userActivity.activityType == NSUserActivityTypeBrowsingWeb,
      let incomingURL = userActivity.webpageURL,
      let components = URLComponents(url: incomingURL, resolvingAgainstBaseURL: true)
    else { return }
    album = components.queryItems?.first { $0.name == "album" }?.value
  }
}
