// SPDX-License-Identifier: Apache-2.0
/// The type of a scene with windows, which every scene here is.
@MainActor open class UIWindowScene: UIScene {
  /// The visible windows, in the order in which they were shown.
  public private(set) var windows: [UIWindow] = []
  /// The window that receives the keyboard's input.
  public internal(set) weak var keyWindow: UIWindow?

  /// Creates a scene that is not connected.
  public required init() {}

  func add(_ window: UIWindow) {
    if !windows.contains(window) { windows.append(window) }
  }

  func remove(_ window: UIWindow) {
    windows.removeAll { $0 === window }
    if keyWindow === window { keyWindow = nil }
  }
}
