// SPDX-License-Identifier: Apache-2.0
import Freedesktop

/// A check for openers that start a browser of their own choice, so that web links do not reach Usher.
///
/// They use no `mimeapps.list`, so this concerns users who registered Usher with `--web`.
enum OpenerCheck {
  static func findings(_ snapshot: SystemSnapshot) -> [Finding] {
    guard snapshot.handlers.contains(where: { URLScheme.web.contains($0.scheme) && $0.isThroughUsher }) else {
      return []
    }
    let openers = WebOpeners(directories: snapshot.directories, programs: snapshot.programs)
    return [sensibleBrowser(openers), exoOpen(openers)].compactMap(\.self)
  }

  private static func sensibleBrowser(_ openers: WebOpeners) -> Finding? {
    guard openers.programs.find("sensible-browser") != nil, let browser = openers.sensibleBrowser else {
      return nil
    }
    return Finding(
      check: "opener",
      message:
        "sensible-browser opens web links with \(browser.program), by \(browser.origin.rawValue), and not through Usher",
      command: browser.origin.command)
  }

  private static func exoOpen(_ openers: WebOpeners) -> Finding? {
    guard openers.programs.find("exo-open") != nil, let helper = openers.xfceHelper else { return nil }
    return Finding(
      check: "opener",
      message:
        "exo-open, which Xfce's programs and xdg-open in Xfce use, opens web links with the helper \(helper.name)"
        + (helper.command.map { " (\($0))" } ?? "") + ", and not through Usher",
      file: helper.file, line: helper.line, command: "usher doctor --fix", repair: .xfceHelper)
  }
}
