// In the shape of “Pushing background updates to your App”.
// https://developer.apple.com/documentation/usernotifications/pushing-background-updates-to-your-app
import UIKitCompatibility

@main
class AppDelegate: UIResponder, UIApplicationDelegate {
  var balance: Int?

  func application(
    _ application: UIApplication,
    didReceiveRemoteNotification userInfo: [AnyHashable: Any],
    fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
  ) {
    guard let amount = userInfo["acct-balance"] as? Int else {
      completionHandler(.noData)
      return
    }
    balance = amount
    completionHandler(.newData)
    // A second call has no effect.
    completionHandler(.failed)
  }
}
