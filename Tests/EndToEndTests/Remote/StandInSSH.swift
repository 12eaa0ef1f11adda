// SPDX-License-Identifier: Apache-2.0
import TestSupport

extension ThrowAwayDesktop {
  /// Installs a stand-in for ssh that knows the host `build.example.org`, to which no connection is shared.
  ///
  /// - Parameters:
  ///   - connecting: The shell command that connects (`-M`).
  ///   - running: The shell commands that run a command of the host, which is `$word`.
  func installStandInForSSH(connecting: String, running: String = "") throws {
    try installScript(
      "ssh",
      """
      #!/bin/sh
      for word; do
        case $word in
        -G)
          printf 'hostname build.example.org\\nport 22\\nstricthostkeychecking ask\\nuserknownhostsfile ~/.ssh/known_hosts\\n'
          exit ;;
        -O) exit 255 ;;
        -M) \(connecting) ;;
        esac
      done
      \(running)
      """)
  }
}
