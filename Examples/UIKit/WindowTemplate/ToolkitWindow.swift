import UIKitCompatibility

/// The calls of the code for the toolkit when the window of a scene changes, which UIKit notices by itself.
extension UIWindowScene {
  func windowChanged(isVisible: Bool, hasFocus: Bool) async {
    guard let scene else { return }
    await scene.application.setActivationState(
      isVisible ? hasFocus ? .foregroundActive : .foregroundInactive : .background, of: scene)
  }

  func windowClosed() {
    guard let scene else { return }
    scene.application.requestSceneDisconnection(scene)
  }
}
