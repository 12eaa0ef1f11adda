// In the shape of “open(_:options:completionHandler:)” and “canOpenURL(_:)”.
// https://developer.apple.com/documentation/uikit/uiapplication/open(_:options:completionhandler:)
import UIKitCompatibility

@main
class AppDelegate: UIResponder, UIApplicationDelegate {
  var results: [String] = []

  func applicationDidBecomeActive(_ application: UIApplication) {
    guard let url = URL(string: "https://example.org/help"), UIApplication.shared.canOpenURL(url) else {
      return
    }
    UIApplication.shared.open(url, options: [.universalLinksOnly: true]) { success in
      self.results.append(success ? "opened" : "not opened")
    }
  }

  func application(
    _ application: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any] = [:]
  ) -> Bool {
    results.append("state \(application.applicationState.rawValue)")
    return true
  }
}
