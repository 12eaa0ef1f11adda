// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import Foundation
@testable import Scenes
import TestSupport
import Testing

/// Ports of Apple's two samples of "Defining a custom URL scheme for your app".
@Suite struct SampleTests {
  /// `MyPhotoApp`'s application delegate.
  @MainActor final class AppDelegate: ApplicationDelegate {
    let log: Log
    init(_ log: Log) { self.log = log }

    func application(
      _ application: Application, didFinishLaunchingWithOptions launchOptions: LaunchOptions?
    ) -> Bool {
      guard let url = launchOptions?[.url],
        let components = URLComponents(url: url, resolvingAgainstBaseURL: true),
        let params = components.queryItems
      else {
        return launchOptions == nil
      }
      log.add("launched with \(params.map { "\($0.name)=\($0.value ?? "")" })")
      return true
    }

    func application(_ application: Application, open url: URL, options: OpenURLOptions) -> Bool {
      // Determine who sent the URL.
      let sendingAppID = options[.sourceApplication]
      log.add("source application = \(sendingAppID ?? "Unknown")")

      // Process the URL.
      guard let components = URLComponents(url: url, resolvingAgainstBaseURL: true),
        let params = components.queryItems
      else {
        log.add("Invalid URL or album path missing")
        return false
      }
      let albumPath = components.path

      guard let photoIndex = params.first(where: { $0.name == "index" })?.value else {
        log.add("Photo index missing")
        return false
      }
      log.add("albumPath = \(albumPath)")
      log.add("photoIndex = \(photoIndex)")
      return true
    }
  }

  /// `MyPhotoApp`'s scene delegate.
  @MainActor final class PhotoSceneDelegate: SceneDelegate {
    let log: Log
    init(_ log: Log) { self.log = log }

    func scene(
      _ scene: Scene, willConnectTo session: SceneSession, options connectionOptions: ConnectionOptions
    ) {
      // Determine who sent the URL.
      if let urlContext = connectionOptions.urlContexts.first {
        let sendingAppID = urlContext.options.sourceApplication
        log.add("source application = \(sendingAppID ?? "Unknown")")
      }
      // Process the URL similarly to the UIApplicationDelegate example.
      guard let url = connectionOptions.urlContexts.first?.url,
        let params = URLComponents(url: url, resolvingAgainstBaseURL: true)?.queryItems
      else { return }
      log.add("connected with \(params.map { "\($0.name)=\($0.value ?? "")" })")
    }

    func scene(_ scene: Scene, openURLContexts URLContexts: [OpenURLContext]) {
      if let url = URLContexts.first?.url { log.add("opened \(url.absoluteString)") }
    }
  }

  struct PhotoApp: ApplicationDelegate {}

  private static let url = "myphotoapp:albumname?index=1"

  private func open(
    _ url: String, _ application: RunningApplication, _ broker: BusConnection
  ) async throws -> Reply {
    var envelope = Envelope(requestID: RequestID.random(), urls: [url])
    envelope.application = Stage.id
    envelope.sourceApplication = "org.example.Mail"
    envelope.assurance = .unit
    return try await application.deliver(envelope, from: broker)
  }

  @Test func `The application delegate gets the URL cold and warm`() async throws {
    try await Stage.withStage { stage in
      let broker = try await stage.broker()
      let log = Log()
      let running = try await stage.start(.awaited) { application in
        try await application.run(delegate: await AppDelegate(log))
      }
      #expect(try await open(Self.url, running, broker).handled)
      #expect(try await open(Self.url, running, broker).handled)
      #expect(try await open("myphotoapp:albumname?name=x", running, broker).handled == false)
      try await running.end()
      let opened = ["source application = org.example.Mail", "albumPath = albumname", "photoIndex = 1"]
      #expect(
        await log.finish() == [#"launched with ["index=1"]"#] + opened + opened + [
          "source application = org.example.Mail", "Photo index missing",
        ])
    }
  }

  @Test func `An application delegate that returns false makes the request not handled`()
    async throws
  {
    try await Stage.withStage { stage in
      let broker = try await stage.broker()
      let log = Log()
      let running = try await stage.start(.awaited) { application in
        try await application.run(delegate: await AppDelegate(log))
      }
      #expect(try await open("myphotoapp:albumname", running, broker).handled == false)
      try await running.end()
      #expect(await log.finish() == [])
    }
  }

  @Test func `The scene delegate gets the URL cold and warm`() async throws {
    try await Stage.withStage { stage in
      let broker = try await stage.broker()
      let log = Log()
      let running = try await stage.start(.awaited) { application in
        try await application.run(
          delegate: PhotoApp(), scenes: SceneConfiguration { await PhotoSceneDelegate(log) })
      }
      #expect(try await open(Self.url, running, broker).handled)
      #expect(try await open(Self.url, running, broker).handled)
      try await running.end()
      #expect(
        await log.finish() == [
          "source application = org.example.Mail", #"connected with ["index=1"]"#, "opened \(Self.url)",
        ])
    }
  }
}
