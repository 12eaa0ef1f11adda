// In the shape of “Registering your app with APNs”, and of “Asking permission to use notifications”.
// https://developer.apple.com/documentation/usernotifications/registering-your-app-with-apns
// https://developer.apple.com/documentation/usernotifications/asking-permission-to-use-notifications
import UIKitCompatibility

@main
class AppDelegate: UIResponder, UIApplicationDelegate {

  var log: [String] = []

  func application(
    _ application: UIApplication,
    didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool {
    let center = UNUserNotificationCenter.current()
    center.delegate = self
    center.requestAuthorization(options: [.alert, .sound, .badge]) { granted, error in
      if let error {
        print("Authorization failed: \(error.localizedDescription)")
      }
      guard granted else { return }
      DispatchQueue.main.async {
        UIApplication.shared.registerForRemoteNotifications()
      }
    }
    return true
  }

  func application(
    _ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
  ) {
    log.append(deviceToken.map { String(format: "%02x", $0) }.joined())
  }

  func application(
    _ application: UIApplication, didFailToRegisterForRemoteNotificationsWithError error: Error
  ) {
    // Try again later.
    log.append("Failed to register: \(error.localizedDescription)")
  }

  func application(_ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any]) {
    guard let aps = userInfo["aps"] as? [String: AnyObject] else { return }
    log.append("received \(aps["badge"] as? Int ?? 0)")
  }
}

extension AppDelegate: UNUserNotificationCenterDelegate {
  func userNotificationCenter(
    _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
    withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
  ) {
    log.append("present \(notification.request.identifier): \(notification.request.content.title)")
    completionHandler([.banner, .list, .sound])
  }

  func userNotificationCenter(_ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse)
    async
  {
    switch response.actionIdentifier {
    case UNNotificationDefaultActionIdentifier, UNNotificationDismissActionIdentifier:
      log.append("later \(response.notification.request.identifier)")
    default:
      break
    }
  }
}
