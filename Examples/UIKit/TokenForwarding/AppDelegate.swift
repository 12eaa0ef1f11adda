// In the shape of “Registering your app with APNs”, with scenes: the token is forwarded to the server of the app.
// https://developer.apple.com/documentation/usernotifications/registering-your-app-with-apns
import UIKitCompatibility

@main
class AppDelegate: UIResponder, UIApplicationDelegate {

  var log: [String] = []

  func application(
    _ application: UIApplication,
    didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool {
    UNUserNotificationCenter.current().delegate = self
    // The token may have changed since the last launch.
    UIApplication.shared.registerForRemoteNotifications()
    return true
  }

  // Handle remote notification registration.
  func application(
    _ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
  ) {
    forwardTokenToServer(token: deviceToken)
  }

  func application(
    _ application: UIApplication, didFailToRegisterForRemoteNotificationsWithError error: Error
  ) {
    // The token is not currently available.
    report("Remote notification support is unavailable due to error: \(error.localizedDescription)")
  }

  func forwardTokenToServer(token: Data) {
    let tokenComponents = token.map { data in String(format: "%02.2hhx", data) }
    let deviceTokenString = tokenComponents.joined()
    let queryItems = [URLQueryItem(name: "deviceToken", value: deviceTokenString)]
    var urlComps = URLComponents(string: "https://www.example.com/register")
    urlComps?.queryItems = queryItems
    guard let url = urlComps?.url else {
      return
    }
    // The request to the server of the app follows here.
    report("register \(url.query() ?? "")")
  }

  func application(
    _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any],
    fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
  ) {
    guard let note = userInfo["note"] as? Int else {
      completionHandler(.noData)
      return
    }
    report("fetch \(note) \(application.applicationState == .background ? "in the background" : "")")
    completionHandler(.newData)
  }

  func report(_ line: String) {
    log.append(line)
    FileHandle.standardOutput.write(Data("\(line)\n".utf8))
  }
}

extension AppDelegate: UNUserNotificationCenterDelegate {
  func userNotificationCenter(
    _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
    withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
  ) {
    guard notification.request.trigger is UNPushNotificationTrigger else {
      completionHandler([])
      return
    }
    report("present \(notification.request.content.title)")
    completionHandler([.banner, .list])
  }

  func userNotificationCenter(
    _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
    withCompletionHandler completionHandler: @escaping () -> Void
  ) {
    let content = response.notification.request.content
    report("open \(content.title) \(content.userInfo["note"] as? Int ?? 0)")
    completionHandler()
  }
}
