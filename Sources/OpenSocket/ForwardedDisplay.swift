// SPDX-License-Identifier: Apache-2.0
/// The display of a remote login, as `ssh -X HOST COMMAND` forwards it.
///
/// sshd closes the display when the command of the login exits and no program is connected to the display (ssh(1), `-X`). A login without
/// a terminal consists of that one command, which therefore has to run until the application has connected or exited.
public enum ForwardedDisplay {
  /// Returns `true` if the display may end with this process: a remote login without a terminal, on a display of another host.
  ///
  /// - Parameter variable: returns the value of an environment variable.
  public static func mayEndWithProcess(_ variable: (String) -> String?) -> Bool {
    // sshd sets SSH_TTY for a login with a terminal. The display of a local server has no host before its colon (X(7), "Display names").
    guard variable("SSH_CONNECTION") != nil, variable("SSH_TTY") == nil,
      let first = variable("DISPLAY")?.utf8.first
    else { return false }
    return first != UInt8(ascii: ":") && first != UInt8(ascii: "/") && variable("WAYLAND_DISPLAY") == nil
  }
}
