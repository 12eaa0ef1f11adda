// In the shape of “Supporting universal links in your app”, with an application delegate.
// https://developer.apple.com/documentation/xcode/supporting-universal-links-in-your-app
import UIKitCompatibility

@main
class AppDelegate: UIResponder, UIApplicationDelegate {
  let viewer = Viewer()

  func application(
    _ application: UIApplication,
    continue userActivity: NSUserActivity,
    restorationHandler: @escaping ([UIUserActivityRestoring]?) -> Void
  ) -> Bool {
    guard userActivity.activityType == NSUserActivityTypeBrowsingWeb,
      let incomingURL = userActivity.webpageURL,
      incomingURL.path.hasPrefix("/albums/")
    else {
      return false
    }
    restorationHandler([viewer])
    return true
  }
}

class Viewer: UIResponder {
  var path: String?

  override func restoreUserActivityState(_ userActivity: NSUserActivity) {
    path = userActivity.webpageURL?.path
  }
}
