// SPDX-License-Identifier: Apache-2.0
public import BusInterfaces

/// Requests to other applications by x-callback-url, and their answers.
extension Application {
  /// Opens a URL in the form of x-callback-url, and returns the answer of the application that handles it.
  ///
  /// ```swift
  /// let answer = try await application.open(
  ///   "bear://x-callback-url/create?text=milk", callbackURLScheme: "notes")
  /// if case .success(let values) = answer { … }
  /// ```
  /// Adds the parameters `x-source`, `x-success`, `x-error` and `x-cancel`. The other application answers by opening
  /// a URL of the caller's own scheme with an unguessable token. No handler receives that URL; late and repeated
  /// answers are dropped. A handler of a request may await this method.
  ///
  /// - Parameters:
  ///   - scheme: a scheme that the application's desktop entry names.
  ///   - timeout: the longest time to wait for the answer, which may depend on the user.
  /// - Throws: ``SceneError/notOpened(_:)`` if no application opens the URL, or the other one fails without an answer, with
  ///   `Timeout` if no answer arrives in time and `Cancelled` if the task is cancelled or the application exits;
  ///   ``SceneError/alreadyHasCallbacks(_:)`` if the URL already has callbacks.
  public nonisolated(nonsending) func open(
    _ url: String, callbackURLScheme scheme: String, timeout: Duration = .seconds(300),
    options: OpenExternalURLOptions = OpenExternalURLOptions()
  ) async throws(SceneError) -> XCallbackAnswer {
    let address = CallbackAddress(scheme: scheme)
    let asking: String
    do throws(MessageError) {
      asking = try address.adding(to: url, source: options.sourceApplication ?? id)
    } catch {
      throw .alreadyHasCallbacks(error)
    }
    let answers = try callbacks.wait(at: address)
    var options = options
    // The other application may reply only after it has answered, for example because it asks the user.
    options.timeout = min(
      max(options.timeout, timeout), .microseconds(OpenOptions.timeoutRange.upperBound))
    let opening = Task { [options] in
      do throws(SceneError) { try await open(asking, options: options) } catch {
        if let rest = error.answerTimeout(rest: timeout) { try? await Task.sleep(for: rest) }
        callbacks.end(address, with: .failure(error))
      }
    }
    let timeoutTask = Task {
      try await Task.sleep(for: timeout)
      callbacks.end(address, with: .failure(.notOpened(.timeout, "no answer within \(timeout)")))
    }
    defer { timeoutTask.cancel() }
    let answer = Task { await answers.first { _ in true } }
    return try await withTaskCancellationHandler {
      await answer.value ?? .failure(.notOpened(.cancelled, "no task waits for the answer any longer"))
    } onCancel: {
      opening.cancel()
      callbacks.end(address, with: .failure(.notOpened(.cancelled, "the request was cancelled")))
    }.get()
  }
}

extension SceneError {
  /// Returns the longest time to wait for the answer in spite of the error; `nil` if no application has received the URL.
  fileprivate func answerTimeout(rest: Duration) -> Duration? {
    guard case .notOpened(let error) = self else { return nil }
    return OpenResult(error, of: "", by: .broker).answerTimeout(rest: rest)
  }
}
