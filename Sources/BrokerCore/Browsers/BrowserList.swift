// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// The installed browsers with their profiles, which are read when a decision needs them for the first time.
public final class BrowserList: Sendable {
  private let read: @Sendable () -> [InstalledBrowser]
  private let known = Mutex<[InstalledBrowser]?>(nil)

  /// Creates the list that `read` returns.
  public init(read: @escaping @Sendable () -> [InstalledBrowser]) { self.read = read }

  /// The browsers, most preferred first.
  public var browsers: [InstalledBrowser] {
    known.withLock { known in
      let browsers = known ?? read()
      known = browsers
      return browsers
    }
  }
}
