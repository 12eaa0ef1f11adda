// In the shape of “Managing your app’s life cycle”.
// https://developer.apple.com/documentation/uikit/managing-your-app-s-life-cycle
import UIKitCompatibility

class SceneDelegate: UIResponder, UIWindowSceneDelegate {
  var events: [String] = []

  func scene(
    _ scene: UIScene, willConnectTo session: UISceneSession,
    options connectionOptions: UIScene.ConnectionOptions
  ) {
    guard let windowScene = (scene as? UIWindowScene) else { return }
    events.append("connect \(windowScene.session.role == .windowApplication)")
  }

  func sceneWillEnterForeground(_ scene: UIScene) {
    events.append("foreground")
  }

  func sceneDidBecomeActive(_ scene: UIScene) {
    events.append("active \(scene.activationState == .foregroundActive)")
  }

  func sceneWillResignActive(_ scene: UIScene) {
    events.append("resign")
  }

  func sceneDidEnterBackground(_ scene: UIScene) {
    events.append("background")
  }

  func sceneDidDisconnect(_ scene: UIScene) {
    events.append("disconnect")
  }
}
