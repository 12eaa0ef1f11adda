import Logging
import State
import Systemd

/// The file of the grants, on a thread of its own: a disk that does not answer holds up nothing but what asks for grants.
///
/// The history's file has another thread, as a disk that takes no writes may be read.
actor GrantFile {
  /// Opens the store; a damaged file is set aside under the name that is told beside it.
  typealias Opening = @Sendable () throws(StateError) -> (store: GrantStore, setAside: String?)

  /// One thread for all such files of a process.
  private static let disk = EventLoop()
  nonisolated var unownedExecutor: UnownedSerialExecutor { Self.disk.asUnownedSerialExecutor() }

  nonisolated let path: String
  private var store: LazyStore<GrantStore>

  /// The file at `path`, which is opened when it is needed, by `open` where that is there.
  ///
  /// - Parameter existing: a directory that is not made where it is missing.
  init(at path: String, existing: String?, log: Logger, open: Opening?) {
    self.path = path
    store = LazyStore { () throws(StateError) in
      if let open { return try open() }
      return try GrantStore.open(at: path, existing: existing)
    } report: { aside in
      log.warning("history and grants were damaged; they are set aside as \(aside)")
    }
  }

  /// What `body` makes of the store.
  func use<Value: Sendable>(
    _ body: @Sendable (GrantStore) throws(StateError) -> Value
  ) -> Result<Value, StateError> {
    do throws(StateError) { return .success(try store.use(body)) } catch { return .failure(error) }
  }
}
