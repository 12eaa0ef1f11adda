// In the shape of “Responding to the launch of your app”.
// https://developer.apple.com/documentation/uikit/responding-to-the-launch-of-your-app
import UIKitCompatibility

@main
class AppDelegate: UIResponder, UIApplicationDelegate {
  var reasons: [String] = []
  var launchURL: URL?
  var isPrepared = false

  func application(
    _ application: UIApplication,
    willFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]? = nil
  ) -> Bool {
    isPrepared = true
    return true
  }

  func application(
    _ application: UIApplication,
    didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]? = nil
  ) -> Bool {
    for (key, value) in launchOptions ?? [:] {
      reasons.append("\(key.rawValue): \(value)")
    }
    reasons.sort()
    if let url = launchOptions?[.url] as? URL {
      launchURL = url
    }
    return true
  }
}
