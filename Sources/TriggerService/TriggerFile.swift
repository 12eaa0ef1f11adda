// SPDX-License-Identifier: Apache-2.0
import BrokerService
import BusInterfaces
import DBus
import Freedesktop
import Logging
import State

/// The file with what is stored: `$XDG_STATE_HOME/usher/triggers.sqlite`, which is opened on first use.
@BrokerActor
final class TriggerFile {
  private var store: LazyStore<TriggerStore>
  private let log: Logger

  /// - Parameter atCommit: Called immediately before and after each write.
  init(in directories: BaseDirectories, log: Logger, atCommit: (@Sendable () -> Void)?) {
    self.log = log
    let path = "\(directories.stateHome)/usher/triggers.sqlite"
    let existing = directories.homeRequired(by: directories.stateHome)
    store = LazyStore { () throws(StateError) in
      try TriggerStore.open(at: path, existing: existing, atCommit: atCommit)
    } report: { aside in
      log.warning("the database of the triggers was corrupt; it was moved to \(aside) and recreated")
    }
  }

  /// Returns the result of `body` for the store.
  ///
  /// - Throws: `org.freedesktop.DBus.Error.Failed` with the reason and the path.
  func use<Value>(_ body: (TriggerStore) throws(StateError) -> Value) throws(BusError) -> Value {
    do throws(StateError) {
      return try store.use(body)
    } catch {
      throw BusError(.failed, "\(error)")
    }
  }

  /// Performs a change that no caller waits for, and logs its failure.
  ///
  /// - Returns: Whether the change is stored.
  @discardableResult
  func attempt(_ body: (TriggerStore) throws(StateError) -> Void) -> Bool {
    do throws(BusError) {
      try use(body)
      return true
    } catch {
      log.error("\(error.message)")
      return false
    }
  }
}
