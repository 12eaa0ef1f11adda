// SPDX-License-Identifier: Apache-2.0
@testable import Interpreters
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
      (["bash", "--rcfile", "f", "-c", "{x}"], [4]), (["bash", "-c", "-o", "posix", "{x}"], [2, 4]),
      (["bash", "-euoc", "pipefail", "{x}"], [2, 3]), (["sh", "+oc", "posix", "{x}"], [2, 3]),
      (["bash", "-euco", "pipefail", "{x}"], [1, 2, 3]), (["zsh", "-Oc", "a", "{x}", "zsh", "{x}"], [2, 3]),
      (["crystal", "eval", "{x}"], [2]), (["ptyxis", "-x", "{x}"], [2]), (["entr", "-rs", "{x}"], [2]),
      (["flatpak", "run", "--command=sh", "org.x", "-c", "{x}"], [5]),
      (["xterm", "-title", "{x}", "-e", "vim {x}"], [4]), (["gvim", "+e {x}"], [1]),
      (["emacsclient", "--eval", "{x}"], [2]), (["swaymsg", "exec", "{x}"], [1, 2]),
      // Words that only look like the option with code.
      (["pwsh", "-NonInteractive", "-Command", "Get-Item '{x}'"], [3]),
      (["pwsh", "-NoLogo", "-noninteractive", "-c", "Get-Item", "{x}"], [4, 5]),
      (["pwsh", "-NoProfile", "-Comm", "{x}"], [3]), (["node", "-p", "-e", "'{x}'.length"], [2, 3]),
      (["perl", "-i.save", "-pe", "s/a/{x}/", "f"], [2, 3]),
      (["perl", "-d:Trace", "-e", "f('{x}')"], [2, 3]),
      (["perl", "-CSDe", "{x}"], [2]), (["perl", "-0777", "-ne", "{x}"], [3]),
      (["ruby", "-W", "-e", "f('{x}')"], [3]), (["ruby", "-Ke", "-e", "f('{x}')"], [2, 3]),
      (["gawk", "-i", "inplace", "{ gsub(/a/,\"{x}\") } 1", "f"], [3]),
      (["sed", "-l", "5", "s/{x}/a/", "f"], [3]), (["vim", "-es", "-c", "{x}"], [3]),
      (["sed", "-i.e", "--posix", "s/{x}/a/", "f"], [2, 3]),
      // Options of programs that run a shell.
      (["sg", "video", "-c", "mpv '{x}'"], [3]), (["sg", "video", "mpv '{x}'"], [2]),
      (["npx", "-c", "tool '{x}'"], [2]), (["npx", "--call", "{x}"], [2]),
      (["npm", "exec", "--call={x}"], [2]),
      (["osascript", "-e", "say \"{x}\""], [2]),
      (["runuser", "-u", "ada", "--session-command", "{x}"], [4]),
      (["su", "ada", "--session-command={x}"], [2]),
      // Options that are not known, or whose value is another argument.
      (["node", "--import", "tsx", "-e", "f('{x}')"], [4]), (["node", "--unknown", "a", "-e", "{x}"], [4]),
      (["node", "--input-type", "module", "-e", "{x}"], [4]),
      (["ruby", "--disable", "gems", "-e", "{x}"], [4]),
      (["python3", "--check-hash-based-pycs", "default", "-c", "{x}"], [4]),
      (["php", "--define", "a=1", "-r", "{x}"], [4]), (["gawk", "--assign", "a=1", "{x}"], [3]),
      (["awk", "--unknown", "a", "{x}"], [2, 3]),
      (["bash", "+O", "extglob", "-c", "{x}"], [4]), (["bash", "+o", "posix", "-c", "{x}"], [4]),
      (["fish", "-p", "f", "-c", "{x}"], [4]), (["luajit", "-j", "off", "-e", "{x}"], [4]),
      (["terminator", "-T", "Log", "-e", "tail -f '{x}'"], [4]),
      (["mate-terminal", "--title", "Log", "-e", "{x}"], [4]),
      (["lxterminal", "-t", "Log", "-e", "{x}"], [4]),
      (["gdb", "--batch", "--ex", "print {x}"], [3]), (["gdb", "-ex=print {x}"], [1]),
      (["emacs", "-no-site-file", "-eval", "(f \"{x}\")"], [3]),
      // Shells that an option selects.
      (["docker", "run", "--rm", "--entrypoint", "sh", "alpine", "-c", "echo {x}"], [7]),
      (["podman", "run", "--entrypoint=sh", "alpine", "-c", "echo {x}"], [5]),
      (["flatpak", "run", "--command", "sh", "org.x", "-c", "echo {x}"], [6]),
      (["make", "-C", "/srv", "--", "{x}"], [4]), (["sudo", "make", "{x}"], [2]),
      (["flock", "/l", "-c", "{x}"], [3]), (["lksh", "-c", "{x}"], [2]), (["pypy3", "-c", "{x}"], [2]),
      (["julia", "-e", "{x}"], [2]), (["tmux", "new-window", "-n", "a", "man {x}"], [4]),
      (["tmux", "-L", "s", "send-keys", "vim {x}", "Enter"], [4, 5]),
      (["screen", "-X", "stuff", "{x}"], [2, 3]),
      (["nvim", "--server", "s", "--remote-send", ":e {x}<CR>"], [4]), (["deno", "eval", "-p", "{x}"], [3]),
      (["tmux", "split-window", "-l", "10", "man {x}"], [3, 4]), (["python3", "-m", "timeit", "{x}"], [3]),
      (["env", "-S", String(repeating: "a ", count: 2_000), "{x}"], [0, 1, 2, 3]),
      // Arguments that only resemble interpreted ones.
      (["bash", "script.sh", "-c", "{x}"], []), (["entr", "viewer", "{x}"], []),
      (["python3", "tool.py", "{x}"], []),
      (["firefox", "-c", "{x}"], []),
      (["ssh", "--", "{x}"], []),
      (["grep", "-e", "{x}"], []), (["emacsclient", "-c", "{x}"], []), (["xterm", "-title", "{x}"], []),
      (["gh", "run", "watch", "{x}"], []), (["streamer", "parallel", "{x}"], []),
      (["firefox", "make", "{x}"], []),
      (["awk", "-f", "prog.awk", "{x}"], []), (["sed", "-f", "s.sed", "{x}"], []),
      (["flatpak", "run", "--command=sh", "org.x", "-c", "echo \"$1\"", "sh", "{x}"], [5]),
      (["flock", "/l", "tool", "-c", "{x}"], []), (["pwsh", "-File", "a.ps1", "-Command", "{x}"], []),
      (["perl", "-i.save", "tool.pl", "{x}"], [2]), (["tmux", "new-window", "man", "{x}"], []),
      (["tmux", "attach", "-t", "{x}"], []), (["gnome-terminal", "--", "man", "-e", "{x}"], []),
    ] as [([String], Set<Int>)])
  func `are found in any position`(command: [String], places: Set<Int>) {
    let arguments = InterpretedArguments(command)
    #expect(Set(command.indices.filter(arguments.takesAsCode)) == places, "\(command)")
  }

  @Test func `are found behind each option that has code`() {
    for (name, program) in ProgramRunner.known {
      for option in program.codes.split(separator: " ") + program.commandLines.split(separator: " ") {
        let dash = program.style == .letters && option.count > 1 ? "" : "-"
        let operands = Array(repeating: "a", count: program.operandsBefore)
        let command = [name] + operands + [dash + option, "{x}"]
        #expect(InterpretedArguments(command).takesAsCode(command.count - 1), "\(command)")
      }
    }
  }

  @Test func `are also those that the code of a shell runs`() {
    let named = InterpretedArguments(["sh", "-c", "exec \"$0\"", "{o}", "{x}"])
    #expect([3, 4].map { named.shell(running: $0)?.program } == ["sh", nil])
    #expect(named.shell(running: 4, absent: [3])?.program == "sh")
    let split = InterpretedArguments(["env", "-S", "sh -c 'exec \"$@\"' sh", "{x}"])
    #expect(split.shell(running: 3)?.program == "sh")
  }

  @Test func `are only those with the number that the code of a shell uses`() {
    let loop = "n=$2; for ((i = 0; i < n; i++)); do viewer \"$1\"; done"
    let numbered = InterpretedArguments(["bash", "-c", loop, "b", "{u}", "{n}"])
    #expect([4, 5].map { numbered.shell(running: $0)?.use } == [nil, .arithmetic])
    let eleventh = ["bash", "-c", "exec \"${10}\" \"$10\"", "b"] + (1...10).map { "{a\($0)}" }
    let arguments = InterpretedArguments(eleventh)
    #expect(eleventh.indices.filter { arguments.shell(running: $0) != nil } == [13])
    for code in ["shift; \"$1\"", "set -- x \"$@\"; $3", "f() { \"$1\"; }; f \"$2\""] {
      let moved = InterpretedArguments(["bash", "-c", code, "b", "viewer", "{u}"])
      #expect(moved.shell(running: 5)?.use == .code, "\(code)")
    }
    let options = InterpretedArguments(["bash", "-c", "set -euo pipefail; $1 \"$2\"", "b", "viewer", "{u}"])
    #expect(options.shell(running: 5) == nil)
  }

  @Test func `are found in a long code within a moment`() {
    let command = Array(repeating: "pwsh -c", count: 200).joined(separator: " ")
    let code = Array((Array(repeating: command, count: 3).joined(separator: ";") + " ").utf8)
    #expect(ShellCode([code, nil]).places == [.forbidden])
  }

  @Test func `are found in a long command`() {
    let words = String(repeating: "sh ", count: 100_000)
    #expect(InterpretedArguments(["env", "-S", words, "{x}"]).takesAsCode(3))
    #expect(ShellCode([Array("\"\(words);".utf8), nil, Array("\"".utf8)]).places == [.enclosed])
    #expect(ShellCode([Array(words.utf8), nil]).places == [.forbidden])
    // Each file is an argument, of which any number can be opened.
    #expect(InterpretedArguments(["viewer"] + Array(repeating: "%u", count: 3_000)).code.isEmpty)
  }
}
