public import BusInterfaces
import Scenes
import Synchronization

/// URLs that the application opened itself.
public struct OutgoingRequest: Hashable, Sendable {
  /// The URLs.
  public let urls: [String]
  /// What it asked for beside them; the ID of the request is a new one each time.
  public let options: OpenOptions
}

/// What stands where the broker is: it notes what is opened, and answers as the test says.
final class Outside: URLOpening {
  private let dependencies: Dependencies
  private let requests = Mutex<[OutgoingRequest]>([])

  init(_ dependencies: Dependencies) { self.dependencies = dependencies }

  var opened: [OutgoingRequest] { requests.withLock { $0 } }

  func open(
    _ urls: [String], _ options: OpenOptions, _ progress: (@Sendable (RequestProgress) -> Void)?
  ) async throws(SceneError) -> Receipt {
    let request = OutgoingRequest(urls: urls, options: options)
    requests.withLock { $0.append(request) }
    return try await dependencies.opening(request)
  }

  func canOpen(_ url: String) async throws(SceneError) -> Bool { dependencies.canOpen(url) }
}
