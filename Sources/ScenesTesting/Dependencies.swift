public import BusInterfaces
public import Scenes

/// What is around an application that is tested, where it is not as usual.
///
/// ```swift
/// var surroundings = Surroundings()
/// surroundings.opening = { request in throw .notOpened(.noHandler, "nothing opens \(request.urls)") }
/// let app = TestApplication(delegate: NotesDelegate(), in: surroundings)
/// ```
public struct Dependencies: Sendable {
  /// The application's desktop-file ID.
  public var applicationID = "org.example.Application"
  /// Whose names the application is told.
  public var sourceApplicationPolicy = SourceApplicationPolicy.verified
  /// The folder in which sessions are kept, for a second application to find them; `nil` keeps them until the end.
  public var stateDirectory: String?
  /// The folder in which requests are noted that a crash must not repeat, for a second application to find them; `nil` for none.
  public var runtimeDirectory: String?
  /// Whether callers in the form of x-callback-url are answered by their URLs, which then are among what is opened.
  public var answersCallbacks = false
  /// What becomes of URLs that the application opens itself: each gets as far as it asks for, unless told otherwise.
  public var opening: @Sendable (OutgoingRequest) async throws(SceneError) -> Receipt = { request in
    Receipt(
      requestID: request.options.requestID ?? "",
      deliveries: [Delivery(application: nil, outcome: request.options.wait.outcome)])
  }
  /// Which URLs somebody would open: each, unless told otherwise.
  public var canOpen: @Sendable (String) -> Bool = { _ in true }

  /// What is usual.
  public init() {}
}
