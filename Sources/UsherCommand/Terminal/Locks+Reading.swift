// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import DBus
import Freedesktop
import Launching
import RouteFiles

extension Locks {
  /// Reads the administrator's locks in this process's environment, as the broker does.
  init(environment: [String: String] = LaunchEnvironment.current()) {
    let directories = BaseDirectories(environment: environment)
    let store = RouteVersionStore(directory: directories.routeVersions)
    self.init(
      in: directories.administratorDirectories, isWritableByRootOnly: RootProtection().onlyRootCanWrite,
      lastSound: { store.version(of: $0) })
  }

  /// The keys for JSON of each effective lock: `lock` s, `file` s.
  var entries: [[String: Variant]] {
    inForce.map { ["lock": .string($0.lock.rawValue), "file": .string($0.file)] }
  }

  /// A line for each effective lock.
  var lines: [StyledText] {
    inForce.map { lock, file in
      let line: StyledText = "\(lock.subject, as: .heading) disabled by \(file) (\(lock.rawValue))"
      return line.inOneLine
    }
  }
}

extension Lock {
  /// The locked feature, as the beginning of a sentence.
  fileprivate var subject: String {
    switch self {
    case .userRoutes: "The user's routes are"
    case .grants: "Grants are"
    case .directRegistration: "`usher register --direct` is"
    }
  }
}
