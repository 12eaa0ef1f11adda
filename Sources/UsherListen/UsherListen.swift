// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import Glibc
import Scenes

/// The program that `usher listen` executes; it is separate so that `usher open` does not load `Scenes`.
@main
enum UsherListen {
  static func main() async {
    // Ignored so that a write to a closed pipe fails with an error instead of terminating the process.
    signal(SIGPIPE, SIG_IGN)
    do {
      let call = try ListenInvocation(arguments: Array(CommandLine.arguments.dropFirst()))
      try await serve(call)
    } catch {
      StandardError.warn("\(error)")
      if case SceneError.noBus = error { exit(EX_UNAVAILABLE) }
      exit(1)
    }
  }

  private static func serve(_ call: ListenInvocation) async throws {
    let listener = listener(for: call)
    var application = SceneApplication(call.applicationID)
    application.arguments = call.urls
    application.maximumConcurrentRequests = call.options.concurrent ?? 1
    let idleness = IdleTimer(after: call.idle)
    let run = Task { [application] in
      try await application.run { request in
        await idleness.began()
        let result = await Result { try await listener.answer(request) }
        await idleness.ended()
        if case .failure(let error as ListenError) = result, error.leavesOutcomeUnknown {
          throw OutcomeUnknown("\(error)")
        }
        return try result.get()
      }
    }
    await idleness.watch { run.cancel() }
    await listener.watch { run.cancel() }
    let ending = try await run.value
    await listener.end()
    if ending == .forwarded {
      StandardError.warn(
        "\(call.applicationID) is already running; the requests were passed to the running instance")
    }
  }

  private static func listener(for call: ListenInvocation) -> any Listener {
    if let command = call.command {
      return CommandListener(command, call.options, for: call.applicationID)
    }
    return LineListener(readsReplies: call.readsReplies, call.options)
  }
}

extension Result where Failure == any Error, Success: Sendable {
  fileprivate init(_ body: () async throws -> Success) async {
    do { self = .success(try await body()) } catch { self = .failure(error) }
  }
}
