public import BusInterfaces
public import FoundationEssentials

/// Opening URLs from inside the application.
extension Application {
  /// Opens a URL, and says what became of it.
  ///
  /// While a request is handled the new one counts as its continuation, so that links that go round are stopped. Do not wait
  /// inside a handler for a URL of the application itself: it is handled after the present one. A task that is cancelled
  /// withdraws the request.
  ///
  /// - Parameter progress: gets what the target tells while it handles the URL and `options.wait` is `handled`.
  /// - Throws: ``SceneError/notOpened(_:)``, whose ``SceneError/brokerError`` tells why.
  @discardableResult
  public func open(
    _ url: String, options: OpenExternalURLOptions = OpenExternalURLOptions(),
    progress: (@Sendable (RequestProgress) -> Void)? = nil
  ) async throws(SceneError) -> Receipt {
    try await opener.open([url], options.options(of: id, handling: .current), progress)
  }

  /// The same for Foundation's URL.
  @discardableResult
  public func open(
    _ url: URL, options: OpenExternalURLOptions = OpenExternalURLOptions()
  ) async throws(SceneError) -> Receipt {
    try await open(url.absoluteString, options: options)
  }

  /// UIKit's form: `completion` gets whether the URL was delivered, which is not whether it was handled.
  public func open(
    _ url: URL, options: OpenExternalURLOptions = OpenExternalURLOptions(),
    completionHandler completion: @escaping @Sendable (Bool) -> Void
  ) {
    Task {
      let receipt = try? await open(url, options: options)
      completion(receipt.map { $0.outcome >= .delivered } ?? false)
    }
  }

  /// Opens a document with another application: what `UIDocumentInteractionController` does.
  ///
  /// - Parameters:
  ///   - path: the file's.
  ///   - annotation: what the other application is to get along with it.
  ///   - openInPlace: whether it may change the file where it is; it makes a copy otherwise.
  @discardableResult
  public func open(
    document path: String, annotation: PropertyList? = nil, openInPlace: Bool = false,
    options: OpenExternalURLOptions = OpenExternalURLOptions()
  ) async throws(SceneError) -> Receipt {
    var options = options
    options.annotation = annotation ?? options.annotation
    options.openInPlace = openInPlace
    return try await open(URL(filePath: path), options: options)
  }

  /// Whether some application would open this very URL.
  ///
  /// It says nothing of whether that application can deal with it. Opening it, and dealing with the failure, is better.
  public func canOpen(_ url: String) async throws(SceneError) -> Bool {
    try await opener.canOpen(url)
  }

  /// Whether some application opens URLs of a scheme.
  public func canOpen(scheme: String) async throws(SceneError) -> Bool { try await canOpen("\(scheme):") }
}
