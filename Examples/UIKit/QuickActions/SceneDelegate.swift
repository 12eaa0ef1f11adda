import UIKitCompatibility

class SceneDelegate: UIResponder, UIWindowSceneDelegate {
  enum ActionType: String {
    case searchAction = "search"
    case shareAction = "share"
  }

  var savedShortcutItem: UIApplicationShortcutItem?
  var performed: [ActionType] = []

  func scene(
    _ scene: UIScene, willConnectTo session: UISceneSession,
    options connectionOptions: UIScene.ConnectionOptions
  ) {
    if let shortcutItem = connectionOptions.shortcutItem {
      savedShortcutItem = shortcutItem
    }
  }

  func sceneDidBecomeActive(_ scene: UIScene) {
    if let item = savedShortcutItem {
      _ = handleShortCutItem(shortcutItem: item)
      savedShortcutItem = nil
    }
  }

  func windowScene(
    _ windowScene: UIWindowScene, performActionFor shortcutItem: UIApplicationShortcutItem,
    completionHandler: @escaping (Bool) -> Void
  ) {
    let handled = handleShortCutItem(shortcutItem: shortcutItem)
    completionHandler(handled)
  }

  func handleShortCutItem(shortcutItem: UIApplicationShortcutItem) -> Bool {
    guard let actionType = ActionType(rawValue: shortcutItem.type) else { return false }
    performed.append(actionType)
    return true
  }
}
