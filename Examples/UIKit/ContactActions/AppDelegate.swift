// In the shape of “UIApplicationShortcutItem”, with dynamic items that have data.
// https://developer.apple.com/documentation/uikit/uiapplicationshortcutitem
import UIKitCompatibility

@main
class AppDelegate: UIResponder, UIApplicationDelegate {

  static let contactKey = "identifier"
  var contacts = [(identifier: "1", name: "Anna"), (identifier: "2", name: "Ben")]
  var called: [String] = []

  override func restoreUserActivityState(_ userActivity: NSUserActivity) {
    super.restoreUserActivityState(userActivity)
  }

  func applicationWillResignActive(_ application: UIApplication) {
    application.shortcutItems = contacts.map { contact -> UIApplicationShortcutItem in
      UIApplicationShortcutItem(
        type: "Call", localizedTitle: contact.name, localizedSubtitle: "Call \(contact.name)",
        icon: UIApplicationShortcutIcon(type: .contact),
        userInfo: [Self.contactKey: contact.identifier])
    }
  }

  func application(
    _ application: UIApplication, configurationForConnecting connectingSceneSession: UISceneSession,
    options: UIScene.ConnectionOptions
  ) -> UISceneConfiguration {
    if let shortcutItem = options.shortcutItem {
      called.append("launched for \(shortcutItem.type)")
    }
    let configuration = UISceneConfiguration(name: nil, sessionRole: .windowApplication)
    configuration.sceneClass = UIWindowScene.self
    configuration.delegateClass = SceneDelegate.self
    return configuration
  }
}

class SceneDelegate: UIResponder, UIWindowSceneDelegate {
  var window: UIWindow?

  func scene(
    _ scene: UIScene, willConnectTo session: UISceneSession,
    options connectionOptions: UIScene.ConnectionOptions
  ) {
    guard let shortcutItem = connectionOptions.shortcutItem else { return }
    _ = call(shortcutItem)
  }

  func windowScene(_ windowScene: UIWindowScene, performActionFor shortcutItem: UIApplicationShortcutItem)
    async -> Bool
  {
    call(shortcutItem)
  }

  private func call(_ shortcutItem: UIApplicationShortcutItem) -> Bool {
    guard let identifier = shortcutItem.userInfo?[AppDelegate.contactKey] as? String,
      let delegate = UIApplication.shared.delegate as? AppDelegate,
      let contact = delegate.contacts.first(where: { $0.identifier == identifier })
    else { return false }
    delegate.called.append(contact.name)
    return true
  }
}
