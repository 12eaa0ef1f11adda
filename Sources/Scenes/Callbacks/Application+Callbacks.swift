public import BusInterfaces

/// Asking another application for something, and getting its answer.
extension Application {
  /// Opens a URL in the form of x-callback-url, and returns the answer that comes back.
  ///
  /// ```swift
  /// let answer = try await application.open(
  ///   "bear://x-callback-url/create?text=milk", callbackURLScheme: "notes")
  /// if case .success(let values) = answer { … }
  /// ```
  /// `x-source`, `x-success`, `x-error` and `x-cancel` are added. The answer comes by a URL of the application's own scheme with a
  /// token that nobody guesses; no handler sees it, and what comes late or again is dropped. A handler may wait for it.
  ///
  /// - Parameters:
  ///   - scheme: one that the application's desktop entry names.
  ///   - patience: how long is waited for the answer, which a person may have to give.
  /// - Throws: ``SceneError/notOpened(_:)`` where nobody opens it, `Timeout` where nobody answers, `Cancelled` where the task is
  ///   cancelled; ``SceneError/noCallback(_:)`` where the URL has callbacks already.
  public func open(
    _ url: String, callbackURLScheme scheme: String, timeout: Duration = .seconds(300),
    options: OpenExternalURLOptions = OpenExternalURLOptions()
  ) async throws(SceneError) -> XCallbackAnswer {
    let address = CallbackAddress(scheme: scheme)
    let asking: String
    do throws(MessageError) {
      asking = try address.put(into: url, source: options.sourceApplication ?? id)
    } catch {
      throw .noCallback(error)
    }
    let answers = callbacks.wait(at: address)
    let opening = Task {
      do throws(SceneError) { try await open(asking, options: options) } catch {
        callbacks.end(address, with: .failure(error))
      }
    }
    let impatience = Task {
      try await Task.sleep(for: timeout)
      callbacks.end(address, with: .failure(.notOpened(.timeout, "nobody answered within \(timeout)")))
    }
    defer { impatience.cancel() }
    let answer = Task { await answers.first { _ in true } }
    return try await withTaskCancellationHandler {
      await answer.value ?? .failure(.notOpened(.cancelled, "the answer is not waited for"))
    } onCancel: {
      opening.cancel()
      callbacks.end(address, with: .failure(.notOpened(.cancelled, "the request was withdrawn")))
    }.get()
  }
}
