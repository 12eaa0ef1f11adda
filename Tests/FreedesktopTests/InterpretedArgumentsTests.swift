// SPDX-License-Identifier: Apache-2.0
import Interpreters
import Testing

@Suite struct `Arguments that a program interprets` {
  @Test(
    arguments: [
      (["sh", "-c", "echo {x}"], [2]),
      (["/bin/bash", "-ec", "echo {x}"], [2]),
      (["bash", "-o", "pipefail", "-c", "echo {x}"], [4]),
      (["sh", "-c", "echo \"$1\"", "sh", "{x}"], [2]),
      (["env", "A=1", "nice", "sh", "-c", "{x}"], [5]),
      (["env", "-S", "sh {x}"], [2]),
      (["env", "--split-string={x}"], [1]), (["env", "-S", "sh -c", "{x}"], [2, 3]),
      (["env", "-iSsh -c", "{x}"], [1, 2]), (["env", "--split-string=sh '-c'", "{x}"], [1, 2]),
      (["env", "-u", "A", "-S", "python3 -c", "{x}"], [4, 5]), (["env", "-S", "prog -c", "{x}"], [2]),
      (["xterm", "-e", "man {x}"], [2]),
      (["xfce4-terminal", "-e", "man {x}"], [2]),
      (["xfce4-terminal", "--command=man {x}"], [1]),
      (["/usr/bin/mate-terminal", "--command", "{x}"], [2]),
      (["python3.11", "-W", "ignore", "-c", "{x}"], [4]),
      (["perl", "-ne", "{x}"], [2]),
      (["node", "--eval", "{x}"], [2]),
      (["fish", "--command={x}"], [1]),
      (["su", "ada", "-c", "{x}"], [3]),
      (["vim", "file", "-c", "{x}"], [3]),
      (["ssh", "-p", "22", "host", "echo", "{x}"], [4, 5]),
      (["awk", "-v", "a=b", "{x}", "file"], [3]),
      (["sed", "-e", "{x}", "file"], [2]),
      (["watch", "-n", "1", "ls", "{x}"], [3, 4]),
      (["sh", "-c", "-e", "{x}"], [2, 3]), (["sh", "+x", "-c", "{x}"], [3]),
      (["bash", "--rcfile", "f", "-c", "{x}"], [4]), (["bash", "-c", "-o", "posix", "{x}"], [2, 3, 4]),
      (["flatpak", "run", "--command=sh", "org.x", "-c", "{x}"], [5]),
      (["xterm", "-title", "{x}", "-e", "vim {x}"], [4]), (["gvim", "+e {x}"], [1]),
      (["emacsclient", "--eval", "{x}"], [2]), (["swaymsg", "exec", "{x}"], [1, 2]),
      // Arguments that only resemble interpreted ones.
      (["bash", "script.sh", "-c", "{x}"], []),
      (["python3", "tool.py", "{x}"], []),
      (["firefox", "-c", "{x}"], []),
      (["ssh", "--", "{x}"], []),
      (["grep", "-e", "{x}"], []), (["emacsclient", "-c", "{x}"], []), (["xterm", "-title", "{x}"], []),
    ] as [([String], Set<Int>)])
  func `are found in any position`(command: [String], places: Set<Int>) {
    let arguments = InterpretedArguments(command)
    #expect(Set(command.indices.filter(arguments.takesAsCode)) == places, "\(command)")
  }
}
