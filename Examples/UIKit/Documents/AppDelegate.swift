// In the shape of “application(_:open:options:)” for documents.
// https://developer.apple.com/documentation/uikit/uiapplicationdelegate/application(_:open:options:)
import UIKitCompatibility

@main
class AppDelegate: UIResponder, UIApplicationDelegate {
  var opened: [String] = []

  func application(
    _ app: UIApplication, open inputURL: URL, options: [UIApplication.OpenURLOptionsKey: Any] = [:]
  ) -> Bool {
    guard inputURL.isFileURL else { return false }
    let shouldOpenInPlace = options[.openInPlace] as? Bool ?? false
    opened.append("\(inputURL.lastPathComponent) \(shouldOpenInPlace ? "in place" : "copied")")
    return true
  }
}
