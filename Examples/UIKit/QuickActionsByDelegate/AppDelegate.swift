// In the shape of “application(_:performActionFor:completionHandler:)”.
// https://developer.apple.com/documentation/uikit/uiapplicationdelegate/application(_:performactionfor:completionhandler:)
import UIKitCompatibility

@main
class AppDelegate: UIResponder, UIApplicationDelegate {
  var performed: [String] = []

  func application(
    _ application: UIApplication,
    didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool {
    if let item = launchOptions?[.shortcutItem] as? UIApplicationShortcutItem {
      performed.append("launched for \(item.type)")
      // The action is not performed a second time.
      return false
    }
    return true
  }

  func application(
    _ application: UIApplication, performActionFor shortcutItem: UIApplicationShortcutItem,
    completionHandler: @escaping (Bool) -> Void
  ) {
    performed.append(shortcutItem.type)
    DispatchQueue.main.async {
      completionHandler(shortcutItem.type == "compose")
    }
  }
}
