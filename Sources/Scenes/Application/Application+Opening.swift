public import BusInterfaces
import DBus
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
    progress: (@Sendable (HandlingProgress) -> Void)? = nil
  ) async throws(SceneError) -> Receipt {
    try await open([url], options.options(of: id, handling: .current), progress)
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
    do throws(BusError) {
      return try await connection.call(BrokerInterface.canOpen, at: BrokerInterface.broker, url)
    } catch {
      throw .notOpened(error)
    }
  }

  /// Whether some application opens URLs of a scheme.
  public func canOpen(scheme: String) async throws(SceneError) -> Bool { try await canOpen("\(scheme):") }

  private func open(
    _ urls: [String], _ options: OpenOptions, _ progress: (@Sendable (HandlingProgress) -> Void)?
  ) async throws(SceneError) -> Receipt {
    let requestID = options.requestID ?? ""
    await watchUncertainty()
    let watching = await watch(requestID, progress)
    defer { watching?.cancel() }
    // A task of its own: from a cancelled one nothing could be called.
    let call = Task { () async -> Result<Receipt, SceneError> in
      do throws(SceneError) { return .success(try await callBroker(urls, options)) } catch {
        return .failure(error)
      }
    }
    let connection = connection
    return try await withTaskCancellationHandler {
      await call.value
    } onCancel: {
      Task { try? await connection.call(BrokerInterface.cancel, at: BrokerInterface.broker, requestID) }
    }.get()
  }

  /// Calls the broker, and the next one under the same ID when it goes: the request is told from a new one.
  private func callBroker(_ urls: [String], _ options: OpenOptions) async throws(SceneError) -> Receipt {
    let end = ContinuousClock.now + options.timeout + Self.graceOfTheBroker
    while true {
      do throws(BusError) {
        let entries = try await connection.call(
          BrokerInterface.open, at: BrokerInterface.broker, urls, options.entries, timeout: end - .now)
        return try Receipt(reading: entries)
      } catch {
        // When a broker has said that nobody may know, the next one knows nothing of the request.
        let isUncertain = update { $0.uncertain.remove(options.requestID ?? "") != nil }
        guard error.name == .noReply, !isUncertain, ContinuousClock.now < end else { throw .notOpened(error) }
      }
    }
  }

  /// How much longer than its own time-out the broker may take to answer.
  private static let graceOfTheBroker = Duration.seconds(5)

  /// Notes the requests of which a broker says that nobody may know what becomes of them if it goes.
  private func watchUncertainty() async {
    guard
      update({ state in
        defer { state.watchesUncertainty = true }
        return !state.watchesUncertainty
      }), let signals = try? await connection.signals(BrokerInterface.progress, from: BrokerInterface.busName)
    else { return }
    Task { [weak self] in
      for await signal in signals where signal.values.1 == Outcome.unknown.rawValue {
        self?.update { state in _ = state.uncertain.insert(signal.values.0) }
      }
    }
  }

  private func watch(
    _ requestID: String, _ progress: (@Sendable (HandlingProgress) -> Void)?
  ) async -> Task<Void, Never>? {
    guard let progress,
      let signals = try? await connection.signals(BrokerInterface.handling, from: BrokerInterface.busName)
    else { return nil }
    return Task {
      for await signal in signals where signal.values.0 == requestID {
        if let told = try? HandlingProgress(signal.values.2) { progress(told) }
      }
    }
  }
}

extension Receipt {
  fileprivate init(reading entries: [String: Variant]) throws(BusError) {
    do throws(MessageError) { try self.init(entries) } catch { throw BusError(error) }
  }
}
