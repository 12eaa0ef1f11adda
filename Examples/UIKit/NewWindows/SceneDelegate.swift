import UIKitCompatibility

class SceneDelegate: UIResponder, UIWindowSceneDelegate {
  var window: UIWindow?
  var document: String?

  func scene(
    _ scene: UIScene, willConnectTo session: UISceneSession,
    options connectionOptions: UIScene.ConnectionOptions
  ) {
    guard let scene = (scene as? UIWindowScene) else { return }
    window = UIWindow(windowScene: scene)
    window?.makeKeyAndVisible()
    if let userActivity = connectionOptions.userActivities.first ?? session.stateRestorationActivity {
      document = userActivity.title
      scene.title = userActivity.title
      scene.userActivity = userActivity
      scene.activationConditions.prefer([userActivity.targetContentIdentifier ?? ""])
    }
  }

  func stateRestorationActivity(for scene: UIScene) -> NSUserActivity? {
    scene.userActivity
  }

  func sceneWillResignActive(_ scene: UIScene) {
    scene.userActivity?.needsSave = true
    scene.userActivity?.resignCurrent()
  }

  func sceneDidBecomeActive(_ scene: UIScene) {
    scene.userActivity?.becomeCurrent()
  }
}
