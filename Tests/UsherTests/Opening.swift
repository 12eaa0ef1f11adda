// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import Freedesktop
import Launching
import RouteTables
import Systemd
import TestSupport

/// An opening of a URL in a tree: the decision, and the actual start.
struct Opening {
  /// The Exec line of the chosen application.
  private(set) var exec: String?
  private(set) var entry: DesktopEntry?
  /// The resulting start.
  private(set) var start: ViewerStart?

  init(of url: String, in tree: RandomTree) throws {
    let programs = ProgramSearch(path: tree.environment["PATH"])
    let resolver = ApplicationResolver(
      directories: BaseDirectories(environment: tree.environment), programs: programs)
    let broker = Broker(layers: [], resolver: resolver, programs: programs)
    let checked = try URLString(url)
    guard case .deliver(let target) = broker.decide(checked, of: OpenRequest(urls: [checked])).verdict else {
      return
    }
    entry = target.entry
    exec = target.entry.exec
    do {
      for launch in try EntryLaunch.launches(
        of: target.entry, id: target.id, opening: [url],
        programs: LaunchPrograms(
          programs, catalog: resolver.catalog,
          directories: BaseDirectories(environment: tree.environment)))
      {
        start = try RecordingViewer.start(
          by: launch.program(environment: LaunchEnvironment.clean(tree.environment)))
      }
    } catch is LaunchError {
      return
    } catch is SystemdError {
      return
    }
    start?.entry = target.entry.path ?? ""
    if target.entry.workingDirectory == nil { start?.directory = nil }
  }
}
