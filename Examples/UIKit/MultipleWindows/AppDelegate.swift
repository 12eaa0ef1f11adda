// In the shape of “Supporting multiple windows on iPad”.
// https://developer.apple.com/documentation/uikit/supporting-multiple-windows-on-ipad
import UIKitCompatibility

@main
class AppDelegate: UIResponder, UIApplicationDelegate {
  var discarded: [String] = []

  func application(
    _ application: UIApplication, configurationForConnecting connectingSceneSession: UISceneSession,
    options: UIScene.ConnectionOptions
  ) -> UISceneConfiguration {
    let name = options.userActivities.first?.activityType == "org.example.inspect" ? "Inspector" : "Gallery"
    let configuration = UISceneConfiguration(name: name, sessionRole: connectingSceneSession.role)
    configuration.delegateClass =
      name == "Inspector" ? InspectorSceneDelegate.self : GallerySceneDelegate.self
    return configuration
  }

  func application(_ application: UIApplication, didDiscardSceneSessions sceneSessions: Set<UISceneSession>) {
    discarded += sceneSessions.map(\.persistentIdentifier)
  }
}

class GallerySceneDelegate: UIResponder, UIWindowSceneDelegate {
  func inspect(_ photo: String) {
    let activity = NSUserActivity(activityType: "org.example.inspect")
    activity.userInfo = ["photo": photo]
    let options = UIScene.ActivationRequestOptions()
    UIApplication.shared.requestSceneSessionActivation(
      nil, userActivity: activity, options: options,
      errorHandler: { error in
        print("The inspector did not open: \(error)")
      })
  }
}

class InspectorSceneDelegate: UIResponder, UIWindowSceneDelegate {
  var photo: String?

  func scene(
    _ scene: UIScene, willConnectTo session: UISceneSession,
    options connectionOptions: UIScene.ConnectionOptions
  ) {
    photo = connectionOptions.userActivities.first?.userInfo?["photo"] as? String
    scene.title = photo
  }

  func close(_ session: UISceneSession) {
    UIApplication.shared.requestSceneSessionDestruction(session, options: nil, errorHandler: nil)
  }
}
