// In the shape of “Defining a custom URL scheme for your app”, with a scene delegate.
// https://developer.apple.com/documentation/xcode/defining-a-custom-url-scheme-for-your-app
import UIKitCompatibility

class SceneDelegate: UIResponder, UIWindowSceneDelegate {
  var links: [(url: URL, sender: String?)] = []

  func scene(
    _ scene: UIScene,
    willConnectTo session: UISceneSession,
    options connectionOptions: UIScene.ConnectionOptions
  ) {
    guard scene is UIWindowScene else { return }
    if let urlContext = connectionOptions.urlContexts.first {
      open(urlContext)
    }
  }

  func scene(_ scene: UIScene, openURLContexts URLContexts: Set<UIOpenURLContext>) {
    guard let urlContext = URLContexts.first else { return }
    open(urlContext)
  }

  private func open(_ context: UIOpenURLContext) {
    let sendingAppID = context.options.sourceApplication
    links.append((context.url, sendingAppID))
  }
}
