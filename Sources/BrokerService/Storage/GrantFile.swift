// SPDX-License-Identifier: Apache-2.0
import Logging
import State
import Systemd

/// The file of the grants, used on a thread of its own.
///
/// A disk that does not respond delays only the tasks that need grants. The file of the history has another thread,
/// because a disk that cannot be written may still be readable.
actor GrantFile {
  /// Opens the store.
  ///
  /// Returns the path to which a damaged file was moved, if there was one.
  typealias Opening = @Sendable () throws(StateError) -> (store: GrantStore, setAside: String?)

  /// The thread for all such files of a process.
  private static let disk = EventLoop()
  nonisolated var unownedExecutor: UnownedSerialExecutor { Self.disk.asUnownedSerialExecutor() }

  nonisolated let path: String
  private var store: LazyStore<GrantStore>

  /// Creates access to the file at `path`, which is opened on first use.
  ///
  /// - Parameters:
  ///   - existing: A directory that is not created if it is missing.
  ///   - open: Opens the store; `nil` for the default.
  init(at path: String, existing: String?, log: Logger, open: Opening?) {
    self.path = path
    store = LazyStore { () throws(StateError) in
      if let open { return try open() }
      return try GrantStore.open(at: path, existing: existing)
    } report: { aside in
      log.warning("the database of history and grants was corrupt; it was moved to \(aside) and recreated")
    }
  }

  /// Returns the result of `body` for the store.
  func use<Value: Sendable>(
    _ body: @Sendable (GrantStore) throws(StateError) -> Value
  ) -> Result<Value, StateError> {
    do throws(StateError) { return .success(try store.use(body)) } catch { return .failure(error) }
  }
}
