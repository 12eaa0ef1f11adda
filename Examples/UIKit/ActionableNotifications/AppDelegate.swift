// In the shape of “Handling notifications and notification-related actions”.
// https://developer.apple.com/documentation/usernotifications/handling-notifications-and-notification-related-actions
import UIKitCompatibility

@main
class AppDelegate: UIResponder, UIApplicationDelegate, UNUserNotificationCenterDelegate {
  var answers: [String] = []

  func application(
    _ application: UIApplication,
    didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool {
    UNUserNotificationCenter.current().delegate = self
    return true
  }

  func userNotificationCenter(
    _ center: UNUserNotificationCenter,
    didReceive response: UNNotificationResponse,
    withCompletionHandler completionHandler: @escaping () -> Void
  ) {
    let userInfo = response.notification.request.content.userInfo
    let meeting = userInfo["MEETING_ID"] as? String ?? "none"

    switch response.actionIdentifier {
    case "ACCEPT_ACTION":
      answers.append("accepted \(meeting)")
    case UNNotificationDefaultActionIdentifier:
      answers.append("opened \(meeting)")
    default:
      break
    }
    completionHandler()
  }
}
