// SPDX-License-Identifier: Apache-2.0
public import BusInterfaces
public import FoundationEssentials

/// Opening URLs from within the application.
extension Application {
  /// Opens a URL, and returns the receipt.
  ///
  /// While the application handles a request, the new one counts as its continuation, so that the broker stops
  /// redirect loops. A handler must not wait for a URL of its own application, because that URL is handled after the
  /// current request. If the task is cancelled, so is the request; a task that was cancelled before sends none.
  ///
  /// - Parameter progress: receives the target's progress reports while it handles the URL, if `options.wait` is
  ///   `handled`.
  /// - Throws: ``SceneError/notOpened(_:)``, whose ``SceneError/brokerError`` is the reason.
  @discardableResult
  public nonisolated(nonsending) func open(
    _ url: String, options: OpenExternalURLOptions = OpenExternalURLOptions(),
    progress: (@Sendable (RequestProgress) -> Void)? = nil
  ) async throws(SceneError) -> Receipt {
    guard !Task.isCancelled else { throw .notOpened(.cancelled, "the task was cancelled") }
    return try await opener.open(
      [url], options: options.options(of: id, handling: .current), progress: progress)
  }

  /// Opens a URL of Foundation's type, and returns the receipt.
  @discardableResult
  public nonisolated(nonsending) func open(
    _ url: URL, options: OpenExternalURLOptions = OpenExternalURLOptions()
  ) async throws(SceneError) -> Receipt {
    try await open(url.absoluteString, options: options)
  }

  /// Opens a URL as in UIKit; `completion` receives `true` if the URL was delivered, even if it was not handled.
  ///
  /// Unlike in UIKit, `completion` is called on any thread.
  public func open(
    _ url: URL, options: OpenExternalURLOptions = OpenExternalURLOptions(),
    completionHandler completion: @escaping @Sendable (Bool) -> Void
  ) {
    Task {
      let receipt = try? await open(url, options: options)
      completion(receipt.map { $0.outcome >= .delivered } ?? false)
    }
  }

  /// Opens a document with another application, like UIKit's `UIDocumentInteractionController`.
  ///
  /// - Parameters:
  ///   - path: the path of the file.
  ///   - annotation: a property list that the other application receives with the URL.
  ///   - openInPlace: `true` if the other application may modify the file itself; otherwise it copies the file first.
  @discardableResult
  public nonisolated(nonsending) func open(
    document path: String, annotation: PropertyList? = nil, openInPlace: Bool = false,
    options: OpenExternalURLOptions = OpenExternalURLOptions()
  ) async throws(SceneError) -> Receipt {
    var options = options
    options.annotation = annotation ?? options.annotation
    options.openInPlace = openInPlace
    return try await open(URL(filePath: path), options: options)
  }

  /// Returns `true` if an application would open this URL.
  ///
  /// The application may still fail to handle the URL. Prefer to open the URL and to handle the error.
  public nonisolated(nonsending) func canOpen(_ url: String) async throws(SceneError) -> Bool {
    try await opener.canOpen(url)
  }

  /// Returns the same as `canOpen` if that is known without a wait, as in a test; otherwise `nil`.
  package func canOpenAtOnce(_ url: String) -> Bool? { opener.canOpenAtOnce(url) }

  /// Returns `true` if an application opens URLs of a scheme.
  public nonisolated(nonsending) func canOpen(scheme: String) async throws(SceneError) -> Bool {
    try await canOpen("\(scheme):")
  }
}
