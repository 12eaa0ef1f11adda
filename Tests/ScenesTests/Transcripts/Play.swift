import BusInterfaces
import DBus
import TestSupport

@testable import Scenes

/// An application on a real bus, its broker, and all that is said between them.
struct Play: Sendable {
  /// In which of the ways of writing an application.
  enum Profile: String, CaseIterable, Sendable {
    case delegate = "Application delegate"
    case scenes = "Scenes"
    case plain = "Plain"
  }

  /// How the program was started.
  enum Start: Sendable {
    case direct
    case awaited
    case arguments([String])

    var processStart: ProcessStart {
      switch self {
      case .direct: ProcessStart(urls: [])
      case .awaited: ProcessStart(urls: [], isAwaited: true)
      case .arguments(let urls): ProcessStart(urls: urls)
      }
    }
  }

  let profile: Profile
  let transcript: Transcript
  let delegate: RecordingDelegate
  let broker: BusConnection
  let stranger: BusConnection
  let actors: RunningApplication

  /// Starts the application, and returns when it has its name.
  static func begin(
    _ profile: Profile, _ start: Start, on stage: Stage, stateDirectory: String? = nil,
    _ behaviour: Behaviour = Behaviour()
  ) async throws -> Play {
    let transcript = Transcript()
    let delegate = RecordingDelegate(transcript, behaviour)
    let (broker, stranger) = (try await stage.broker(), try await stage.connect())
    let actors = try await stage.start(start) { application in
      var application = application
      application.stateDirectory = stateDirectory
      switch profile {
      case .delegate: return try await application.run(delegate: delegate)
      case .scenes:
        return try await application.run(delegate: delegate, scenes: SceneConfiguration { Unused() })
      case .plain:
        return try await application.run { request in
          await transcript.add(
            "handler", "\(request.reason)", request.urlStrings.joined(separator: " "),
            request.desktopAction ?? "", told(request.sourceApplication, request.annotation))
          return .handled
        }
      }
    }
    return Play(
      profile: profile, transcript: transcript, delegate: delegate, broker: broker, stranger: stranger,
      actors: actors)
  }

  /// The application, from inside.
  var application: Application {
    get async throws {
      let running = delegate.running.stream
      guard let found = await running.first(where: { _ in true }) else {
        throw TestSupportError("no application")
      }
      return found
    }
  }

  /// Returns when a start without a request is over.
  func untilItRuns() async throws {
    switch profile {
    case .delegate: try await transcript.until("applicationDidBecomeActive")
    case .scenes: try await transcript.until("sceneDidBecomeActive")
    case .plain: break
    }
  }

  /// An envelope, as the broker would write it.
  static func envelope(_ urls: String..., fill: (inout Envelope) -> Void = { _ in }) -> Envelope {
    var envelope = Envelope(requestID: RequestID.random(), urls: urls)
    envelope.application = Stage.id
    fill(&envelope)
    return envelope
  }

  /// Hands a request over, and writes down what its caller is told.
  func deliver(_ envelope: Envelope) async throws {
    do {
      let reply = try await actors.deliver(envelope, from: broker)
      let word = reply.error.map { "failed: \($0)" } ?? (reply.handled ? "handled" : "not handled")
      await transcript.add("-> \(word)\(reply.value.map { " \($0.json)" } ?? "")")
    } catch let error as BusError {
      await transcript.add("-> \(error.name): \(error.message)")
    }
  }

  /// Ends the application, and returns all that was written.
  func end() async throws -> [String] {
    try await actors.end()
    await broker.close()
    await stranger.close()
    return await transcript.lines
  }
}

/// The configuration that the delegate does not use.
private struct Unused: SceneDelegate {}
