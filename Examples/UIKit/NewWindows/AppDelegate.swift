// In the shape of “activateSceneSession(for:errorHandler:)”, and of “UIWindowSceneDestructionRequestOptions”.
// https://developer.apple.com/documentation/uikit/uiapplication/activatescenesession(for:errorhandler:)
// https://developer.apple.com/documentation/uikit/uiwindowscenedestructionrequestoptions
import UIKitCompatibility

@main
class AppDelegate: UIResponder, UIApplicationDelegate {
  var failures: [String] = []

  /// The window that has the input of the user.
  var activeWindow: UIWindow? {
    UIApplication.shared.connectedScenes
      .filter { $0.activationState == .foregroundActive }
      .compactMap { $0 as? UIWindowScene }
      .flatMap { $0.windows }
      .first { $0.isKeyWindow }
  }

  func openInNewWindow(_ document: String) {
    guard UIApplication.shared.supportsMultipleScenes else { return }
    let userActivity = NSUserActivity(activityType: "org.example.document")
    userActivity.title = document
    userActivity.targetContentIdentifier = document
    userActivity.isEligibleForHandoff = true
    var request = UISceneSessionActivationRequest(role: .windowApplication, userActivity: userActivity)
    let options = UIWindowScene.ActivationRequestOptions()
    options.requestingScene = UIApplication.shared.connectedScenes.first
    request.options = options
    UIApplication.shared.activateSceneSession(for: request) { error in
      self.failures.append(error.localizedDescription)
    }
  }

  func close(_ scene: UIScene) {
    let options = UIWindowSceneDestructionRequestOptions()
    options.windowDismissalAnimation = .commit
    UIApplication.shared.requestSceneSessionDestruction(scene.session, options: options) { error in
      self.failures.append(error.localizedDescription)
    }
  }

  func refresh() {
    for session in UIApplication.shared.openSessions {
      UIApplication.shared.requestSceneSessionRefresh(session)
    }
  }
}
