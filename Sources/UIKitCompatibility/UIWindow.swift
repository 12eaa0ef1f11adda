// SPDX-License-Identifier: Apache-2.0
/// The window of a scene, as the object that UIKit code keeps for it; the toolkit displays the window.
///
/// The code for the toolkit reports the window's state to the ``UIScene/scene`` of its ``windowScene``.
@MainActor open class UIWindow: UIResponder {
  /// The scene of the window.
  open weak var windowScene: UIWindowScene? {
    willSet { windowScene?.remove(self) }
    didSet { if !isHidden { windowScene?.add(self) } }
  }

  /// The controller of the window's content.
  open var rootViewController: UIViewController?

  /// A Boolean value that is `false` after ``makeKeyAndVisible()``; a visible window belongs to the ``UIWindowScene/windows`` of its scene.
  open var isHidden = true {
    didSet { if isHidden { windowScene?.remove(self) } else { windowScene?.add(self) } }
  }

  /// Creates a window that is hidden.
  public required init() {}

  /// Creates a hidden window of a scene.
  public convenience init(windowScene: UIWindowScene) {
    self.init()
    self.windowScene = windowScene
  }

  /// A Boolean value that is `true` if the window is the ``UIWindowScene/keyWindow`` of its scene.
  public var isKeyWindow: Bool { windowScene?.keyWindow === self }

  /// Makes the window the ``UIWindowScene/keyWindow`` of its scene.
  open func makeKey() { windowScene?.keyWindow = self }

  /// Shows the window, and makes it the ``UIWindowScene/keyWindow`` of its scene.
  open func makeKeyAndVisible() {
    isHidden = false
    makeKey()
  }
}

/// A controller without a view, which a ``UIWindow`` keeps as its root.
///
/// It has none of the methods that UIKit calls for a view, so that an `override` of them does not compile.
@MainActor open class UIViewController: UIResponder {
  /// The displayed title.
  open var title: String?

  /// Creates a controller.
  public required init() {}
}
