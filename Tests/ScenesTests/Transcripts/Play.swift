// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import ScenesTesting
import TestSupport
import Testing

@testable import Scenes

/// An application, on a real bus with its broker or without a bus, with a transcript of all calls and answers.
struct Play: Sendable {
  /// The form of the application.
  enum Profile: String, CaseIterable, Sendable {
    case delegate = "Application delegate"
    case scenes = "Scenes"
    case plain = "Plain"
  }

  /// The way in which the program was started.
  enum Start: Sendable {
    case direct
    case awaited
    case arguments([String])

    var processStart: LaunchContext {
      switch self {
      case .direct: LaunchContext(urls: [])
      case .awaited: LaunchContext(urls: [], isAwaited: true)
      case .arguments(let urls): LaunchContext(urls: urls)
      }
    }
  }

  let profile: Profile
  let transcript: Transcript
  let delegate: RecordingDelegate
  let ground: Ground
  /// The stand-in for `usher-triggers`; `nil` without one, and without a bus.
  var registrar: Registrar?

  /// The environment of the application.
  enum Ground: Sendable {
    /// A real bus.
    case bus(broker: BusConnection, stranger: BusConnection, RunningApplication)
    /// No bus: the test support for developers of applications.
    case rehearsal(TestApplication)
  }

  /// Starts the application on a bus, and returns when it owns its name.
  static func begin(
    _ profile: Profile, _ start: Start, on stage: Stage, stateDirectory: String? = nil,
    _ behaviour: Behaviour = Behaviour()
  ) async throws -> Play {
    let transcript = Transcript()
    let delegate = RecordingDelegate(transcript, behaviour)
    let (broker, stranger) = (try await stage.broker(), try await stage.connect())
    var registrar: Registrar?
    if let registering = behaviour.registering {
      registrar = try await Registrar.start(on: stage, registering)
    }
    let actors = try await stage.start(start) { application in
      var application = application
      application.stateDirectory = stateDirectory
      switch profile {
      case .delegate: return try await application.run(delegate: delegate)
      case .scenes:
        return try await application.run(delegate: delegate, scenes: SceneConfiguration { Unused() })
      case .plain: return try await application.run { await transcript.handle($0) }
      }
    }
    return Play(
      profile: profile, transcript: transcript, delegate: delegate,
      ground: .bus(broker: broker, stranger: stranger, actors), registrar: registrar)
  }

  /// Starts the application without a bus; one that awaits a request starts with that request.
  static func rehearse(
    _ profile: Profile, _ start: Start, _ behaviour: Behaviour = Behaviour()
  ) async throws -> Play {
    let transcript = Transcript()
    let delegate = RecordingDelegate(transcript, behaviour)
    var dependencies = Dependencies()
    if let registering = behaviour.registering { dependencies.registering = registering }
    let application =
      switch profile {
      case .delegate: TestApplication(delegate: delegate, in: dependencies)
      case .scenes:
        TestApplication(delegate: delegate, scenes: SceneConfiguration { Unused() }, in: dependencies)
      case .plain: TestApplication { await transcript.handle($0) }
      }
    switch start {
    case .direct: try await application.launch()
    case .awaited: break
    case .arguments(let urls): try await application.launch(arguments: urls)
    }
    return Play(
      profile: profile, transcript: transcript, delegate: delegate, ground: .rehearsal(application))
  }

  /// The real bus with its connections.
  var bus: (broker: BusConnection, stranger: BusConnection, actors: RunningApplication) {
    get throws {
      guard case .bus(let broker, let stranger, let actors) = ground else {
        throw TestSupportError("no bus")
      }
      return (broker, stranger, actors)
    }
  }

  /// The application object.
  var application: Application {
    get async throws {
      let running = delegate.running.stream
      guard let found = await running.first(where: { _ in true }) else {
        throw TestSupportError("no application")
      }
      return found
    }
  }

  /// Waits until a start without a request is complete.
  func untilItRuns() async throws {
    switch profile {
    case .delegate: try await transcript.until("applicationDidBecomeActive")
    case .scenes: try await transcript.until("sceneDidBecomeActive")
    case .plain: break
    }
  }

  /// Returns an envelope as the broker would create it.
  static func envelope(_ urls: String..., fill: (inout Envelope) -> Void = { _ in }) -> Envelope {
    var envelope = Envelope(requestID: RequestID.random(), urls: urls)
    envelope.application = Stage.id
    fill(&envelope)
    return envelope
  }

  /// Delivers a request, and adds the caller's answer to the transcript.
  func deliver(_ envelope: Envelope) async throws {
    await transcript.add(try await answer(to: envelope))
  }

  private func answer(to envelope: Envelope) async throws -> String {
    switch ground {
    case .bus(let broker, _, let actors):
      do {
        let reply = try await actors.deliver(envelope, from: broker)
        let word = reply.error.map { "failed: \($0)" } ?? (reply.handled ? "handled" : "not handled")
        return "-> \(word)\(reply.value.map { " \($0.json)" } ?? "")"
      } catch let error as BusError {
        return "-> \(error.name): \(error.message)"
      }
    case .rehearsal(let application):
      let result = try await application.deliver(envelope)
      return "-> \(result.isHandled ? "handled" : "not handled")\(result.value.map { " \($0.json)" } ?? "")"
    }
  }

  /// Activates an action of the entry, like the desktop's menu.
  func activate(_ action: String, _ parameter: PropertyList?) async throws {
    switch ground {
    case .bus(_, let stranger, let actors):
      try await stranger.call(
        ApplicationInterface.activateAction, at: actors.object, action,
        parameter.map { [$0.variant] } ?? [], [:])
    case .rehearsal(let application):
      try await application.deliver(.desktopAction(action, parameter: parameter))
    }
    await transcript.add("-> returns")
  }

  /// Sends a URL, and returns when the application has received it; the task returns `true` if it was handled.
  func send(_ url: String) async throws -> Task<Bool, any Error> {
    switch ground {
    case .bus(let broker, _, let actors):
      let courier = Courier(broker, to: actors)
      let reply = await courier.send(RequestID.random(), url)
      try await courier.arrive()
      return Task { try await reply.value.handled }
    case .rehearsal(let application):
      let request = await application.send(url)
      return Task { try await request.result.isHandled }
    }
  }

  /// Replaces the token of the registration, or ends the registration with `nil`.
  func replaceToken(with token: RemoteNotificationToken?) async throws {
    switch ground {
    case .bus(_, _, let actors): try await registrar?.replaceToken(of: actors, with: token)
    case .rehearsal(let application): await application.replaceRemoteNotificationToken(with: token)
    }
  }

  /// Sends another token from a connection that is not that of `usher-triggers`.
  func forgeToken(_ token: RemoteNotificationToken) async throws {
    guard case .bus(_, let stranger, let actors) = ground else { return }
    try await Registrar(bus: stranger).replaceToken(of: actors, with: token)
  }

  /// Requests the application to terminate.
  func cancel() {
    switch ground {
    case .bus(_, _, let actors): actors.run.cancel()
    case .rehearsal(let application): Task { try await application.quit() }
    }
  }

  /// Terminates the application, and returns the transcript.
  func end() async throws -> [String] {
    switch ground {
    case .bus(let broker, let stranger, let actors):
      try await actors.end()
      await broker.close()
      await stranger.close()
      await registrar?.bus.close()
    case .rehearsal(let application):
      try await application.quit()
      // A test application records the calls of its delegates, and not those of its managers'.
      let calls = await transcript.lines.count { line in
        !["->", "locationManager", "centralManager", "peripheralManager"].contains { line.hasPrefix($0) }
      }
      #expect(application.calls.count == calls, "\(application.calls)")
    }
    return await transcript.lines
  }
}

extension Transcript {
  /// The handler of an application with one closure.
  func handle(_ request: SceneRequest) -> SceneResult {
    add(
      "handler", "\(request.reason)", request.urlStrings.joined(separator: " "),
      request.desktopAction ?? "", described(request.sourceApplication, request.annotation))
    return .handled
  }
}

/// A configuration that the delegate does not use.
private struct Unused: SceneDelegate {}
