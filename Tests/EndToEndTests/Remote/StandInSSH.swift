// SPDX-License-Identifier: Apache-2.0
import TestSupport

extension ThrowAwayDesktop {
  /// Installs a stand-in for ssh that knows the host `build.example.org`.
  ///
  /// - Parameters:
  ///   - connecting: The shell command that connects (`-M`).
  ///   - controlling: The shell commands that send a command to the shared connection (`-O`); by default, they find no connection.
  ///   - running: The shell commands that run a command of the host, which is `$word`.
  func installStandInForSSH(
    connecting: String, controlling: String = "exit 255", running: String = ""
  ) throws {
    try installScript(
      "ssh",
      """
      #!/bin/sh
      for word; do
        case $word in
        -G)
          printf 'hostname build.example.org\\nport 22\\nstricthostkeychecking ask\\nuserknownhostsfile ~/.ssh/known_hosts\\n'
          exit ;;
        -O) \(controlling) ;;
        -M) \(connecting) ;;
        esac
      done
      \(running)
      """)
  }
}
