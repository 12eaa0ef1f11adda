// In the shape of “Defining a custom URL scheme for your app”, with an application delegate.
// https://developer.apple.com/documentation/xcode/defining-a-custom-url-scheme-for-your-app
import UIKitCompatibility

@main
class AppDelegate: UIResponder, UIApplicationDelegate {
  var shownPhoto: (album: String, index: Int)?
  var sender: String?

  func application(
    _ application: UIApplication,
    open url: URL,
    options: [UIApplication.OpenURLOptionsKey: Any] = [:]
  ) -> Bool {
    sender = options[.sourceApplication] as? String

    guard let components = NSURLComponents(url: url, resolvingAgainstBaseURL: true),
      let album = components.path,
      let items = components.queryItems
    else {
      print("The link has no album")
      return false
    }
    guard let index = items.first(where: { $0.name == "index" })?.value.flatMap(Int.init) else {
      print("The link has no photo")
      return false
    }
    shownPhoto = (album, index)
    return true
  }
}
