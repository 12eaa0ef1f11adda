package import BusInterfaces
import DBus
import Synchronization

/// Where the URLs go that an application opens itself.
package protocol URLOpening: Sendable {
  /// Opens URLs; a task that is cancelled withdraws the request.
  func open(
    _ urls: [String], _ options: OpenOptions, _ progress: (@Sendable (RequestProgress) -> Void)?
  ) async throws(SceneError) -> Receipt
  /// Whether somebody would open a URL.
  func canOpen(_ url: String) async throws(SceneError) -> Bool
}

/// The broker, by the application's connection.
final class BrokerClient: URLOpening {
  private let connection: BusConnection
  private let state = Mutex(State())

  private struct State {
    /// Requests of our own of which nobody may know what becomes of them if the broker goes.
    var uncertain: Set<String> = []
    var watchesUncertainty = false
  }

  init(on connection: BusConnection) { self.connection = connection }

  func canOpen(_ url: String) async throws(SceneError) -> Bool {
    do throws(BusError) {
      return try await connection.call(BrokerInterface.canOpen, at: BrokerInterface.broker, url)
    } catch {
      throw .notOpened(error)
    }
  }

  func open(
    _ urls: [String], _ options: OpenOptions, _ progress: (@Sendable (RequestProgress) -> Void)?
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
        let isUncertain = state.withLock { $0.uncertain.remove(options.requestID ?? "") != nil }
        guard error.name == .noReply, !isUncertain, ContinuousClock.now < end else { throw .notOpened(error) }
      }
    }
  }

  /// How much longer than its own time-out the broker may take to answer.
  private static let graceOfTheBroker = Duration.seconds(5)

  /// Notes the requests of which a broker says that nobody may know what becomes of them if it goes.
  private func watchUncertainty() async {
    guard
      state.withLock({ state in
        defer { state.watchesUncertainty = true }
        return !state.watchesUncertainty
      }), let signals = try? await connection.signals(BrokerInterface.progress, from: BrokerInterface.busName)
    else { return }
    Task { [weak self] in
      for await signal in signals where signal.values.1 == Outcome.unknown.rawValue {
        self?.state.withLock { state in _ = state.uncertain.insert(signal.values.0) }
      }
    }
  }

  private func watch(
    _ requestID: String, _ progress: (@Sendable (RequestProgress) -> Void)?
  ) async -> Task<Void, Never>? {
    guard let progress,
      let signals = try? await connection.signals(BrokerInterface.handling, from: BrokerInterface.busName)
    else { return nil }
    return Task {
      for await signal in signals where signal.values.0 == requestID {
        if let reported = try? RequestProgress(signal.values.2) { progress(reported) }
      }
    }
  }
}

extension Receipt {
  fileprivate init(reading entries: [String: Variant]) throws(BusError) {
    do throws(MessageError) { try self.init(entries) } catch { throw BusError(error) }
  }
}
