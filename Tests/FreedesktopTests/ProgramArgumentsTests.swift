// SPDX-License-Identifier: Apache-2.0
import Interpreters
import Testing

@Suite struct `Arguments that select a program` {
  @Test(
    arguments: [
      (["nohup", "--", "{x}"], [2]), (["nohup", "{x}"], [1]), (["/usr/bin/nice", "-n", "5", "{x}"], [3]),
      (["nice", "-5", "{x}"], [2]), (["setsid", "-f", "{x}"], [2]), (["timeout", "{n}", "{x}"], [2]),
      (["timeout", "--signal=KILL", "-k", "1", "5", "{x}"], [5]), (["xargs", "-n", "1", "{x}"], [3]),
      (["sudo", "-u", "ada", "A=1", "{x}"], [4]), (["pkexec", "--user", "ada", "{x}"], [3]),
      (["systemd-run", "--user", "--unit", "a", "--", "{x}"], [5]),
      (["systemd-run", "-p", "A=1", "{x}"], [3]),
      (["flatpak-spawn", "--host", "{x}"], [2]), (["env", "A=1", "{x}"], [2]),
      (["env", "-u", "A", "{x}"], [3]),
      (["env", "-S", "nice -n 5", "{x}"], [3]), (["env", "{x}"], [1]), (["chroot", "/srv", "{x}"], [2]),
      (["bwrap", "--bind", "/", "/", "--", "{x}"], [5]), (["busybox", "{x}"], [1]),
      (["podman", "run", "--rm", "{x}"], [3]), (["docker", "exec", "-it", "box", "{x}"], [4]),
      (["docker", "--context", "c", "run", "{x}"], [4]), (["tar", "-xI", "{x}", "a"], [2]),
      (["flatpak", "run", "{x}"], [2]), (["snap", "run", "{x}"], [2]), (["gtk-launch", "{x}"], [1]),
      // Several of them in a chain.
      (["nice", "nohup", "setsid", "{x}"], [3]), (["xterm", "-e", "nice", "{x}"], [3]),
      (["sudo", "timeout", "5", "python3", "{x}"], [4]),
      // Scripts, and options and variables by which programs load code.
      (["sh", "{x}"], [1]), (["bash", "-e", "--", "{x}"], [3]), (["python3.11", "-m", "{x}"], [2]),
      (["python3", "{x}", "a"], [1]), (["perl", "-M{x}", "tool.pl"], [1]), (["java", "-jar", "{x}"], [2]),
      (["node", "--require={x}", "a.js"], [1]), (["rsync", "-e", "{x}", "a"], [2]),
      (["ssh", "-oProxyCommand={x}", "host"], [1]), (["find", ".", "-exec", "{x}", ";"], [3]),
      (["tar", "--to-command={x}", "-xf", "a"], [1]), (["vim", "-S", "{x}"], [2]),
      (["env", "LD_PRELOAD={x}", "prog"], [1]), (["env", "{x}=1", "prog"], [1]),
      (["sudo", "PATH={x}", "prog"], [1]),
      (["distrobox", "enter", "box", "--", "{x}"], [4]),
      (["distrobox-enter", "-n", "box", "--", "{x}"], [4]),
      (["kitty", "-o", "shell={x}"], [2]), (["foot", "-o", "shell={x}"], [2]),
      (["php", "-d", "auto_prepend_file={x}", "a.php"], [2]), (["bun", "{x}"], [1]),
      (["deno", "run", "{x}"], [2]),
      (["java", "-javaagent:{x}", "Main"], [1]),
      (["flock", "/l", "{x}"], [2]), (["sudo", "-u", "a", "flock", "/l", "sh", "{x}"], [6]),
      (["rlwrap", "-a", "{x}"], [2]), (["unbuffer", "{x}"], [1]), (["uwsm", "app", "--", "{x}"], [3]),
      (["uv", "run", "{x}"], [2]), (["python3", "-m", "pdb", "{x}"], [3]), (["pypy3", "{x}"], [1]),
      (["perl", "-i.save", "{x}"], [2]),
      // An option that is not known may have a value.
      (["bun", "--unknown", "5", "{x}"], [3]), (["bun", "--cwd", "d", "run", "{x}"], [4]),
      (["nice", "--unknown", "5", "{x}"], [3]), (["systemd-run", "--unknown", "prog", "{x}"], [3]),
    ] as [([String], Set<Int>)])
  func `are found in any position`(command: [String], places: Set<Int>) {
    #expect(selected(command, absent: []).filter { command[$0].contains("{") } == places, "\(command)")
  }

  @Test(arguments: [
    ["nohup", "prog", "{x}"], ["nice", "-n", "{n}", "prog", "{x}"], ["timeout", "{t}", "prog", "--", "{x}"],
    ["sudo", "-u", "{user}", "prog", "{x}"], ["env", "LANG={x}", "prog", "{x}"],
    ["systemd-run", "--user", "--", "prog", "{x}"], ["setsid", "-f", "prog", "{x}"],
    ["sh", "-c", "prog \"$1\"", "sh", "{x}"], ["sh", "tool.sh", "{x}"], ["python3", "-u", "tool.py", "{x}"],
    ["python3", "-c", "pass", "{x}"], ["perl", "-e", "1", "{x}"], ["java", "-jar", "a.jar", "{x}"],
    ["flatpak", "run", "org.x", "{x}"], ["podman", "run", "--rm", "image", "{x}"],
    ["docker", "logs", "{x}"], ["gio", "open", "{x}"], ["xdg-open", "{x}"], ["firefox", "nice", "{x}"],
    ["xterm", "-e", "man", "{x}"], ["find", "{x}", "-name", "a"], ["ssh", "{x}"], ["tar", "-xf", "{x}"],
    ["distrobox", "enter", "box", "--", "prog", "{x}"], ["bun", "run", "a.ts", "{x}"],
    ["bun", "a.ts", "{x}"],
    ["mpv", "--start={t}", "--", "{x}"], ["vim", "{x}"], ["git", "clone", "{x}"],
    ["java", "-Xmx1g", "-Da=b", "Main", "{x}"], ["flock", "/l", "prog", "{x}"],
    ["python3", "-m", "http.server", "{x}"], ["python3", "-m", "cProfile", "-s", "time", "a.py", "{x}"],
  ])
  func `are not those that are only data`(command: [String]) {
    #expect(selected(command, absent: []).allSatisfy { !command[$0].contains("{") }, "\(command)")
  }

  @Test func `are one position later if an argument before them may be missing`() {
    #expect(selected(["timeout", "{t}", "prog", "{x}"], absent: [1]) == [2, 3])
    #expect(selected(["nice", "-n", "{n}", "prog", "{x}"], absent: [2]) == [3, 4])
    #expect(selected(["timeout", "--signal={s}", "5", "prog", "{x}"], absent: [1]) == [3])
  }

  private func selected(_ command: [String], absent: Set<Int>) -> Set<Int> {
    let arguments = ProgramArguments(command, absent: absent)
    return Set(command.indices.filter { arguments.selection(at: $0) != nil })
  }
}
