// SPDX-License-Identifier: Apache-2.0
import Foundation
import Scenes
import ScenesTesting
import Testing

// The code of "Coming from UIKit".

@MainActor final class PhotoDelegate: ApplicationDelegate {
  private(set) var shown: [String] = []

  func application(_ application: Application, open url: URL, options: OpenURLOptions) -> Bool {
    // Determine who sent the URL.
    let sendingAppID = options[.sourceApplication]
    print("source application = \(sendingAppID ?? "Unknown")")

    // Process the URL.
    guard let components = URLComponents(url: url, resolvingAgainstBaseURL: true),
      let params = components.queryItems
    else {
      print("Invalid URL or album path missing")
      return false
    }
    guard let photoIndex = params.first(where: { $0.name == "index" })?.value else {
      print("Photo index missing")
      return false
    }
    shown.append("\(components.path) \(photoIndex)")
    return true
  }
}

@MainActor final class PhotoScene: SceneDelegate {
  private(set) var shown: [String] = []

  func scene(
    _ scene: Scene, willConnectTo session: SceneSession, options connectionOptions: ConnectionOptions
  ) {
    // Determine who sent the URL.
    if let urlContext = connectionOptions.urlContexts.first {
      show(urlContext)
    }
  }

  func scene(_ scene: Scene, openURLContexts urlContexts: [OpenURLContext]) {
    for urlContext in urlContexts { show(urlContext) }
  }

  private func show(_ urlContext: OpenURLContext) {
    let sendingAppID = urlContext.options.sourceApplication
    shown.append("\(urlContext.urlString) from \(sendingAppID ?? "Unknown")")
  }
}

struct PhotosDelegate: ApplicationDelegate {}

@MainActor final class MailDelegate: ApplicationDelegate {
  private(set) var view = "start"
  private(set) var reported: [String] = []

  func application(
    _ application: Application, didReceiveRemoteNotification notification: UserNotification
  ) -> BackgroundFetchResult {
    reported.append("\(notification.body ?? "") \(notification.badge ?? 0) \(notification.sound ?? "silent")")
    guard let view = notification.userInfo["show-view"]?.string else { return .noData }
    self.view = view
    return .newData
  }
}

@MainActor final class MailScene: SceneDelegate {
  private(set) var view = "start"

  func scene(_ scene: Scene, didReceive response: NotificationResponse) {
    view = response.notification.userInfo["show-view"]?.string ?? view
  }
}

func runPhotos() async throws {
  await SceneApplication("org.example.Photos").main(delegate: PhotoDelegate())
}

func runPhotoScenes() async throws {
  await SceneApplication("org.example.Photos").main(
    delegate: PhotosDelegate(), scenes: SceneConfiguration { PhotoScene() })
}

@Suite @MainActor struct `Coming from UIKit` {
  @Test func `The application delegate gets the URL cold, warm and from the background`() async throws {
    let delegate = PhotoDelegate()
    let app = TestApplication(delegate: delegate)
    let (url, mail) = ("myphotoapp:Vacation?index=1", "org.example.Mail")
    #expect(try await app.open(url, from: mail) == .handled)
    #expect(
      app.takeCalls() == [
        .willFinishLaunching(.url(url, from: mail)), .didFinishLaunching(.url(url, from: mail)),
        .open(.url(url, from: mail)), .applicationDidBecomeActive,
      ])
    #expect(try await app.open("myphotoapp:Vacation?index=2") == .handled)
    #expect(app.takeCalls() == [.open("myphotoapp:Vacation?index=2")])
    await app.move(to: .background)
    _ = app.takeCalls()
    #expect(try await app.open("myphotoapp:Vacation?name=x") == .notHandled)
    #expect(
      app.calls == [
        .applicationWillEnterForeground, .open("myphotoapp:Vacation?name=x"), .applicationDidBecomeActive,
      ])
    #expect(delegate.shown == ["Vacation 1", "Vacation 2"])
  }

  @Test func `The scene delegate gets the URL cold, warm, and when its window was closed`() async throws {
    let scene = PhotoScene()
    let app = TestApplication(delegate: PhotosDelegate(), scenes: SceneConfiguration { scene })
    try await app.open("myphotoapp:Vacation?index=1", from: "org.example.Mail")
    try await app.open("myphotoapp:Vacation?index=2")
    try await app.disconnect()
    try await app.open("myphotoapp:Vacation?index=3")
    #expect(
      scene.shown == [
        "myphotoapp:Vacation?index=1 from org.example.Mail", "myphotoapp:Vacation?index=2 from Unknown",
        "myphotoapp:Vacation?index=3 from Unknown",
      ])
    #expect(app.calls.contains(.sceneWillConnect(1, "myphotoapp:Vacation?index=3")))
  }

  @Test func `One handler receives the launching notification and later ones`() async throws {
    let delegate = MailDelegate()
    let app = TestApplication(delegate: delegate)
    let payload = try PropertyList(
      json: """
        {"aps": {"alert": {"title": "Mail", "body": "You have mail"}, "badge": 9, "sound": "bingbong.aiff",
                 "content-available": 1}, "show-view": "inbox"}
        """)
    let result = try await app.deliver(.reason(.remoteNotification, payload))
    #expect(result == .handled(["fetch-result": "new-data"]))
    #expect(
      app.calls.prefix(2) == [
        .willFinishLaunching(.notification(payload)), .didFinishLaunching(.notification(payload)),
      ])
    #expect(delegate.view == "inbox")
    try await app.deliver(
      .remoteNotification(["aps": ["alert": "More mail", "content-available": 1], "show-view": "outbox"]))
    #expect(delegate.view == "outbox")
    #expect(delegate.reported == ["You have mail 9 bingbong.aiff", "More mail 0 silent"])
    let none = try await app.deliver(.remoteNotification(["aps": ["content-available": 1]]))
    #expect(none == .handled(["fetch-result": "no-data"]))
  }

  @Test func `One method of a scene receives the tapped notification, cold and warm`() async throws {
    let scene = MailScene()
    let app = TestApplication(delegate: PhotosDelegate(), scenes: SceneConfiguration { scene })
    for view in ["inbox", "outbox"] {
      try await app.deliver(
        .remoteNotification(["aps": ["alert": "Mail"], "show-view": .string(view)], action: "default"))
      #expect(scene.view == view)
    }
  }
}
