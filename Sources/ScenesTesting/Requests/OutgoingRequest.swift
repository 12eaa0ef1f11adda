// SPDX-License-Identifier: Apache-2.0
public import BusInterfaces
import Scenes
import Synchronization

/// A request of the application to open URLs.
public struct OutgoingRequest: Hashable, Sendable {
  /// The URLs of the request.
  public let urls: [String]
  /// The options of the request; its request ID is newly generated each time.
  public let options: OpenOptions
}

/// A replacement for the broker, which records the opened URLs and answers as the test specifies.
final class Outside: URLOpening {
  private let dependencies: Dependencies
  private let requests = Mutex<[OutgoingRequest]>([])

  init(_ dependencies: Dependencies) { self.dependencies = dependencies }

  var opened: [OutgoingRequest] { requests.withLock { $0 } }

  func open(
    _ urls: [String], options: OpenOptions, progress: (@Sendable (RequestProgress) -> Void)?
  ) async throws(SceneError) -> Receipt {
    let request = OutgoingRequest(urls: urls, options: options)
    requests.withLock { $0.append(request) }
    return try await dependencies.opening(request)
  }

  func canOpen(_ url: String) async throws(SceneError) -> Bool { dependencies.canOpen(url) }

  func canOpenAtOnce(_ url: String) -> Bool? { dependencies.canOpen(url) }
}
