// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Tests of each shell's completions, run in the shell itself.
@Suite struct `Completions` {
  enum Shell: String, CaseIterable { case bash, zsh, fish }

  private func desktop() async throws -> ThrowAwayDesktop {
    let desktop = try ThrowAwayDesktop(hasBus: false)
    try desktop.installUsher()
    for (id, schemes) in [
      ("org.example.Notes", ["notes"]), ("org.example.Novel", ["novel"]), ("player", ["play"]),
    ] {
      try desktop.installDesktopEntry(
        id, exec: "/bin/true %u", schemes: schemes,
        lines: [
          "Actions=new-\(schemes[0]);", "", "[Desktop Action new-\(schemes[0])]", "Name=New", "Exec=true",
        ])
    }
    try desktop.installDesktopEntry(
      "org.example.Nothing", text: "[Desktop Entry]\nType=Application\nName=N\nExec=true\nHidden=true\n")
    try desktop.installDesktopEntry(
      "org.example.Novice", text: "[Desktop Entry]\nType=Application\nName=N\nDBusActivatable=true\n")
    try desktop.installRoutes(
      "all", "format = 1\nowner = \"user\"\n[route.night-time]\nmatch = \"play:1\"\nallow = true\n")
    for name in ["letter.txt", "links.toml", "list.desktop"] { try desktop.write("", to: "home/\(name)") }
    for shell in Shell.allCases {
      let script = try await Command.run(
        BuiltProducts.usher, ["--generate-completion-script", shell.rawValue]
      ).orThrow()
      try desktop.write(script.output, to: "home/completions/\(shell == .zsh ? "_usher" : "usher.\(shell)")")
    }
    return desktop
  }

  /// Returns the completions of a shell for the last word of a line.
  private func offers(_ shell: Shell, _ words: String, on desktop: ThrowAwayDesktop) async throws -> [String]
  {
    let program =
      switch shell {
      case .bash: Self.bash
      case .fish: "source completions/usher.fish; complete -C \"$LINE\""
      case .zsh: Self.zsh
      }
    let flags = shell == .bash ? ["--norc", "-c"] : shell == .fish ? ["--no-config", "-c"] : ["-f", "-c"]
    let result = try await Command.run(
      shell.rawValue, flags + [program],
      environment: desktop.environment.merging(["LINE": words, "TERM": "dumb"]) { $1 },
      directory: desktop.home)
    #expect(result.errorOutput.isEmpty, "\(result)")
    // fish prints a description after a tab.
    return result.lines.compactMap { $0.split(separator: "\t").first.map(String.init) }.filter { !$0.isEmpty }
      .map { $0.hasSuffix("/") ? String($0.dropLast()) : $0 }.sorted()
  }

  private static let bash = #"""
    source completions/usher.bash
    read -ra COMP_WORDS <<<"$LINE"
    [[ $LINE == *' ' ]] && COMP_WORDS+=('')
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1)) COMP_LINE=$LINE COMP_POINT=${#LINE} COMPREPLY=()
    _usher usher "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
    printf '%s\n' "${COMPREPLY[@]}"
    """#

  /// An interactive shell on its own terminal, whose `compadd` prints its arguments.
  private static let zsh = #"""
    zmodload zsh/zpty
    cat >init <<'END'
    PROMPT= fpath=($PWD/completions $fpath)
    autoload -Uz compinit && compinit -u -d $PWD/dump
    bindkey '^I' complete-word
    zstyle ':completion:*' list-grouped false
    compadd() {
      if [[ ${@[1,(i)(-|--)]} == *-(O|A|D)\ * ]]; then builtin compadd "$@"; return; fi
      local -a found
      builtin compadd -A found "$@"
      (( $#found )) && print -rl -- $found >>$PWD/found
      builtin compadd "$@"
    }
    comppostfuncs=(tell); tell() { print >$PWD/over }
    print ready
    END
    rm -f over found; mkfifo over; : >found
    zpty z zsh -f -i
    zpty -w z 'source init'
    while zpty -r z line; do [[ $line == ready* ]] && break; done
    zpty -n -w z "$LINE"$'\t'
    read -r over <over
    cat found
    zpty -d z
    """#

  @Test(arguments: Shell.allCases) func `come from the desktop`(shell: Shell) async throws {
    let desktop = try await desktop()
    for (line, expected) in [
      ("usher ex", ["explain"]),
      ("usher routes ch", ["check"]),
      ("usher open --app org.example.No", ["org.example.Notes", "org.example.Novel", "org.example.Novice"]),
      ("usher explain --source-application pl", ["player"]), ("usher explain --app org.us", []),
      ("usher open --wait ", ["accepted", "delivered", "handled"]),
      ("usher open --reason act", ["activate"]),
      ("usher open --app player --action ", ["new-play"]),
      ("usher open le", ["letter.txt"]),
      ("usher register org.example.Note", ["org.example.Notes"]),
      ("usher register li", ["list.desktop"]),
      ("usher register player --scheme no", ["notes", "novel"]),
      ("usher unregister --scheme pl", ["play"]),
      ("usher routes check li", ["links.toml"]),
      ("usher grants revoke --route ni", ["night-time"]),
      ("usher grants allow --assurance sa", ["sandbox"]),
    ] {
      let found = try await offers(shell, line, on: desktop)
      #expect(found == expected, "\(shell): \(line)")
    }
    let options = try await offers(shell, "usher open --so", on: desktop)
    #expect(options == ["--source-application"], "\(options)")
  }

  /// bash expands the words of the list from which it completes.
  @Test func `never run a text of a desktop entry`() async throws {
    let desktop = try await desktop()
    let code = "$(touch ran)"
    try desktop.installDesktopEntry(
      "org.example.Evil", exec: "/bin/true %u", schemes: [code, "evil"],
      lines: [
        "Actions=\(code);evil;", "", "[Desktop Action \(code)]", "Name=New", "Exec=true", "",
        "[Desktop Action evil]", "Name=New", "Exec=true",
      ])
    for words in ["usher register org.example.Evil --scheme ", "usher open --app org.example.Evil --action "]
    {
      let found = try await offers(.bash, words, on: desktop)
      #expect(found.contains(code) && found.contains("evil"), "\(words): \(found)")
    }
    #expect(!FileManager.default.fileExists(atPath: "\(desktop.home)/ran"))
  }

  @Test(arguments: Shell.allCases) func `are unchanged`(shell: Shell) async throws {
    let script = try await Command.run(
      BuiltProducts.usher, ["--generate-completion-script", shell.rawValue]
    ).orThrow()
    try Golden.check(script.output, "completions/usher.\(shell)")
  }

  /// A completion that waits for the bus would block the shell.
  @Test func `need no bus, and print nothing on errors`() async throws {
    let desktop = try ThrowAwayDesktop(extra: ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere"])
    try desktop.installRoutes("bad", "format = 2\n[")
    for words in [
      ["open", "--", "--app"], ["unregister", "--", "--scheme"], ["grants", "list", "--", "--route"],
      ["open", "--", "--action"],
    ] {
      let result = try await Command.run(
        BuiltProducts.usher, ["---completion"] + words + ["2", "0", "usher", words[0], ""],
        environment: desktop.environment, directory: desktop.home, deadline: Command.defaultDeadline)
      #expect(result.succeeded && result.output.trimmingCharacters(in: .newlines).isEmpty, "\(result)")
      #expect(result.errorOutput.isEmpty, "\(result)")
    }
  }
}
