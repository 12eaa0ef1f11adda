// SPDX-License-Identifier: Apache-2.0
import Freedesktop
import Glibc
import Systemd

/// A shell on another machine, or in a container.
protocol MachineShell {
  /// The name of the machine in messages.
  var host: String { get }
  /// The longest time for a script.
  var timeout: Duration { get }
  /// A command with which the user sees why no command can be run.
  var check: String { get }
  /// Returns the program here that runs a command there, in a shell.
  func program(running command: String) -> ProcessConfiguration
}

extension MachineShell {
  /// Runs a script of sh, and returns the lines of its output.
  ///
  /// - Throws: `RemoteFailure` if the script cannot be run, is interrupted, or has not ended in time.
  func run(_ script: String) throws(RemoteFailure) -> [String] {
    // Its last command may fail.
    guard let input = PipedText(script + "\nexit 0\n") else {
      throw RemoteFailure(
        description: "no command can be run on \(host), because no pipe can be created here")
    }
    var program = program(running: "sh -s")
    program.input = input.descriptor
    return Self.lines(try output(of: program))
  }

  /// Returns the lines of an output, before which a start-up file there may have printed others, also with the line ends of DOS.
  static func lines(_ output: String) -> [String] {
    output.unicodeScalars.split(separator: "\n").map { String($0) }
  }

  /// Returns the output of a program that runs a command there, which exits with 0 if it is not interrupted.
  func output(of program: ProcessConfiguration) throws(RemoteFailure) -> String {
    let (status, output) = try ending(of: program, within: timeout)
    guard status.isSuccess else { throw interruption(status) }
    return output
  }

  /// Writes everything that can be read from a descriptor to a file; returns whether that succeeded.
  ///
  /// - Parameter path: An absolute path, which may begin with `$HOME`.
  /// - Throws: `RemoteFailure` if the command cannot be run, is interrupted, or has not ended in time.
  func copy(_ input: Int32, to path: String) throws(RemoteFailure) -> Bool {
    var program = program(running: "cat >\"\(path)\"")
    program.input = input
    let (status, _) = try ending(of: program, within: .seconds(300))
    // ssh and the tools of containers exit with 125 or more if they cannot run the command.
    guard case .exited(..<125) = status else { throw interruption(status) }
    return status.isSuccess
  }

  private func ending(
    of program: ProcessConfiguration, within time: Duration
  ) throws(RemoteFailure) -> (ExitStatus, output: String) {
    switch ProgramOutput(program)?.ending(by: .now + time) {
    case .ended(let status, let output): return (status, output)
    case .timeout:
      throw RemoteFailure(
        description:
          "a command on \(host) has not ended within \(time.components.seconds) s, and may have had effects; try again"
      )
    case .unreadable:
      throw RemoteFailure(
        description: "a command on \(host) has printed more than can be read; to see what, run: \(check)")
    case nil: throw RemoteFailure(description: "\(program.executable) cannot be executed; run: \(check)")
    }
  }

  private func interruption(_ status: ExitStatus) -> RemoteFailure {
    RemoteFailure(
      description:
        "a command on \(host) was interrupted or could not be run (\(status)), so not everything may be done; to see why, run: \(check)"
    )
  }
}

/// The installation of the client for links on another machine, so that programs there find it as `usher` and `xdg-open`.
///
/// All files are in a directory of the client's own, to which links and a line of the shell's profile lead. What exists already under
/// these names and leads elsewhere is left as it is.
struct RemoteClientSetup {
  /// The users for whom the client is installed, which decides about its directories.
  enum Scope {
    /// The user of the account, in its home directory.
    case account
    /// All users, in `/usr/local`; the shell is that of root.
    case system

    /// The directory of the client's files, in the notation of a shell.
    fileprivate var directory: String {
      self == .account ? "$HOME/.local/share/usher-remote" : "/usr/local/lib/usher-remote"
    }

    /// The assignments of the variables of the scripts: `d`, the directory of the files; `b`, that of the links.
    fileprivate var variables: String {
      "d=\(directory) b=\(self == .account ? "$HOME/.local" : "/usr/local")/bin"
    }

    /// The commands that add the client to the environment of login shells.
    fileprivate var enabling: String {
      switch self {
      case .account:
        """
        # A full disk can leave a part of a file, and a shell reports the open quote in it at each login.
        { cat >"$d/new" <<'END'
        # Written by usher remote setup; usher remote setup --undo removes it.
        case ":$PATH:" in *":$HOME/.local/bin:"*) ;; *) PATH=$HOME/.local/bin:$PATH; export PATH ;; esac
        if [ -n "${SSH_CONNECTION-}" ]; then BROWSER=xdg-open; export BROWSER; fi
        END
        } && mv -f "$d/new" "$d/profile.sh" || { rm -f "$d/new"; cannot "write $d/profile.sh"; }
        \(Self.profiles)
        for p do
          [ "$p" = "$HOME/.profile" ] || [ "$p" = "$own" ] || [ -f "$p" ] || continue
          if [ ! -d "${p%/*}" ]; then
            echo "left zsh without a profile, because ${p%/*}, its ZDOTDIR, is missing; create it, and run usher remote setup again"
            continue
          fi
          # A setup that was interrupted can have left the first line alone.
          if grep -q 'profile\\.sh.*\(Self.mark)$' "$p" 2>/dev/null; then continue; fi
          n=
          [ ! -e "$p" ] || n=$(wc -c 2>/dev/null <"$p")
          { [ -n "$n" ] || [ -L "$p" ] || echo '\(Self.origin)' >"$p"; } &&
            { [ -z "$(tail -c 1 "$p" 2>/dev/null | tr '\\000' x)" ] || echo >>"$p"; } && printf '%s\\n' \\
            'if [ -r "\(directory)/profile.sh" ]; then . "\(directory)/profile.sh"; fi \(Self.mark)' >>"$p" &&
            echo "added a line to $p" && continue
          # Cuts the file to its former length, which needs no room.
          dd of="$p" bs=1 seek=$((${n:-0})) 2>/dev/null </dev/null
          [ -n "$n" ] || [ -L "$p" ] || rm -f "$p"
          cannot "change $p"
        done
        case $SHELL in
        */fish)
          \(Self.fishFiles)
          for f do
            mkdir -p "${f%/*}" && printf '%s\\n' 'contains -- $HOME/.local/bin $PATH; or set -gx PATH $HOME/.local/bin $PATH' \\
              'if set -q SSH_CONNECTION; set -gx BROWSER xdg-open; end' >"$f" && echo "wrote $f" ||
              { rm -f "$f"; cannot "write $f"; }
          done
          ;;
        */sh | */bash | */dash | */ksh | */zsh | "") ;;
        *) echo "left the profile of $SHELL as it is; add $b to PATH there, and set BROWSER=xdg-open" ;;
        esac
        """
      case .system:
        """
        if [ ! -d /etc/profile.d ]; then echo "left BROWSER as it is, because there is no /etc/profile.d"
        elif printf '%s\\n' '\(Self.mark)' 'BROWSER=${BROWSER:-xdg-open}; export BROWSER' >/etc/profile.d/usher-remote.sh
        then echo "wrote /etc/profile.d/usher-remote.sh"
        else rm -f /etc/profile.d/usher-remote.sh; cannot "write /etc/profile.d/usher-remote.sh"; fi
        """
      }
    }

    /// The commands that undo `enabling`.
    fileprivate var disabling: String {
      switch self {
      case .account:
        """
        # A profile can contain secrets, and only its owner may read the copy.
        umask 077
        \(Self.profiles)
        for p do
          if [ -e "$p.usher-old" ]; then
            cannot "change $p, because an earlier attempt has left a copy in $p.usher-old; restore what is missing, and remove the copy"
            continue
          fi
          grep -q '\(Self.mark)$' "$p" 2>/dev/null || continue
          IFS= read -r first <"$p"
          # The copy, and the lines that are not in it, have all bytes of the profile.
          if ! sed '/\(Self.mark)$/d' "$p" >"$p.usher-old" ||
            [ $(($(wc -c <"$p.usher-old") + $(sed -n '/\(Self.mark)$/p' "$p" | wc -c))) -ne $(($(wc -c <"$p"))) ]; then
            rm -f "$p.usher-old"
            cannot "change $p"
          # A profile may be a symbolic link, so its content is replaced and not the file.
          elif cat "$p.usher-old" >"$p" && rm -f "$p.usher-old"; then
            echo "removed the line from $p"
            [ "$first" != '\(Self.origin)' ] || [ -s "$p" ] || [ -L "$p" ] || rm -f "$p"
          else cannot "change $p; its content without the line is in $p.usher-old"; fi
        done
        \(Self.fishFiles)
        for f do
          [ -e "$f" ] || continue
          rm -f "$f" && echo "removed $f" || cannot "remove $f"
        done
        """
      case .system:
        """
        if [ -e /etc/profile.d/usher-remote.sh ]; then
          rm -f /etc/profile.d/usher-remote.sh && echo "removed /etc/profile.d/usher-remote.sh" ||
            cannot "remove /etc/profile.d/usher-remote.sh"
        fi
        """
      }
    }

    /// The commands that make the profiles of login shells the arguments, and `own` that of zsh, if it is the login shell.
    ///
    /// The file `.zshenv` may set `ZDOTDIR` without exporting it.
    private static let profiles = """
      z=$ZDOTDIR own=
      case $SHELL in
      */zsh)
        [ -n "$z" ] || z=$("$SHELL" -c 'printf "\\n%s\\n" "$ZDOTDIR"' 2>/dev/null </dev/null | tail -n 1)
        own=${z:-$HOME}/.zprofile
        ;;
      esac
      set -- "$HOME/.profile" "$HOME/.bash_profile" "$HOME/.bash_login" "$HOME/.zprofile"
      case $z in "" | "$HOME") ;; *) set -- "$@" "$z/.zprofile" ;; esac
      """
    /// The commands that make the files of the setup that fish may read the arguments.
    ///
    /// fish ignores a variable that its own configuration sets.
    private static let fishFiles = """
      set -- "$HOME/.config"
      case $XDG_CONFIG_HOME in "" | "$1") ;; *) set -- "$1" "$XDG_CONFIG_HOME" ;; esac
      for c do set -- "$@" "$c/fish/conf.d/usher-remote.fish"; shift; done
      """
    /// The end of each line that the setup adds to a profile.
    private static let mark = "# usher remote setup"
    /// The first line of a profile that the setup has created.
    private static let origin = "# This file was created by: \(mark)"
  }

  /// A form of the client.
  private enum Client {
    /// The program of this machine, which needs its architecture.
    case program(String)
    /// The Python program, which needs Python 3.6.
    case script(String)

    /// The sentence for the user.
    var copied: String {
      switch self {
      case .program: "copied the client usher, the program of this desktop"
      case .script: "copied the client usher-open, which runs with Python 3"
      }
    }
  }

  private let shell: any MachineShell
  private let scope: Scope

  init(in shell: any MachineShell, for scope: Scope) {
    self.shell = shell
    self.scope = scope
  }

  /// The path of the client, in the notation of a shell.
  var client: String { "\(scope.directory)/usher" }

  /// The steps of a script.
  struct Outcome {
    /// A sentence for each step, and for each that failed.
    let steps: [String]
    /// Indicates whether no step failed.
    let isComplete: Bool
    /// Indicates whether `xdg-open` there is another program, which was left as it is.
    let leavesOtherOpener: Bool

    /// Returns the outcome with a further step before the others.
    fileprivate func following(_ step: String) -> Outcome {
      Outcome(steps: [step] + steps, isComplete: isComplete, leavesOtherOpener: leavesOtherOpener)
    }
  }

  /// Returns a command for the user's shell on a machine that runs `command` with the variables of a login shell there.
  static func environment(for command: String) -> String {
    let profile = "\"$HOME/.local/share/usher-remote/profile.sh\""
    let script =
      "if [ -r \(profile) ]; then . \(profile); fi; exec \"${SHELL:-/bin/sh}\" -c \"$(printf \"$0\")\""
    return "sh -c '\(script)' '\(printfFormat(of: command))'"
  }

  /// Returns the format of printf(1) for a text, which has the same meaning in single quotes of every shell.
  ///
  /// fish replaces `\\` and `\'` there, csh replaces `!`, and neither replaces a backslash before a digit.
  private static func printfFormat(of text: String) -> String {
    let plain = Set(" ,./:=@_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789".unicodeScalars)
    return text.unicodeScalars.map { scalar in
      guard scalar.isASCII, !plain.contains(scalar) else { return String(scalar) }
      let octal = String(scalar.value, radix: 8)
      return "\\" + String(repeating: "0", count: 3 - octal.count) + octal
    }.joined()
  }

  /// Installs the client, or replaces an earlier one.
  func install() throws(RemoteFailure) -> Outcome {
    let output = try shell.run(
      """
      umask 022; \(scope.variables)
      mkdir -p "$d" "$b" && printf 'machine %s %s\\n' "$(uname -sm | tr ' ' -)" "$(command -v python3 || echo none)"

      """)
    guard let words = output.first(where: { $0.hasPrefix("machine ") })?.split(separator: " "),
      words.count == 3
    else {
      throw RemoteFailure(
        description: "\(shell.host) has no directory for programs: ~/.local/bin cannot be created there")
    }
    for client in clients(for: String(words[1]), hasPython: words[2] != "none") {
      guard try send(client) else { continue }
      return try change(installation).following(client.copied)
    }
    _ = try? shell.run("\(scope.variables); rm -f \"$d/new\"\n")
    throw RemoteFailure(
      description:
        "no client runs on \(shell.host), a machine of \(words[1]): it needs the architecture of this desktop or Python 3.6, and a file system for programs (no noexec)"
    )
  }

  /// Removes the client.
  func remove() throws(RemoteFailure) -> Outcome {
    try change(
      """
      \(scope.variables)
      for name in usher xdg-open; do
        [ "$(readlink "$b/$name")" = "$d/usher" ] || continue
        rm -f "$b/$name" && echo "removed $b/$name" || cannot "remove $b/$name"
      done
      \(scope.disabling)
      if [ -d "$d" ]; then
        rm -f "$d/usher" "$d/new" "$d/profile.sh" || cannot "remove the files in $d"
        rmdir "$d" && echo "removed $d" || echo "left $d, which has other files"
      fi
      """)
  }

  /// Runs a script whose steps print what they did, or call `cannot`.
  private func change(_ script: String) throws(RemoteFailure) -> Outcome {
    let lines = try shell.run(
      """
      # Bytes that are not text in the language of the session are kept.
      bad= LC_ALL=C
      export LC_ALL
      cannot() { echo "cannot $1"; bad=1; }
      \(script)
      [ -n "$bad" ] || echo done

      """)
    let isComplete = lines.last == "done"
    let steps: [String] = isComplete ? lines.dropLast() : lines
    return Outcome(
      steps: steps.filter { $0 != Self.otherOpener }, isComplete: isComplete,
      leavesOtherOpener: steps.contains(Self.otherOpener))
  }

  /// The line of a script, not for the user, that reports another program as `xdg-open`.
  private static let otherOpener = "other-opener"

  private var installation: String {
    """
    umask 022; \(scope.variables)
    mv -f "$d/new" "$d/usher" || cannot "write $d/usher"
    for name in usher xdg-open; do
      if [ "$(readlink "$b/$name")" = "$d/usher" ]; then echo "updated $b/$name"
      # A program that was mounted over it leaves an empty file.
      elif [ -f "$b/$name" ] && [ ! -L "$b/$name" ] && [ ! -s "$b/$name" ]; then
        ln -sf "$d/usher" "$b/$name" && echo "linked $b/$name" || cannot "write $b/$name"
      elif [ -e "$b/$name" ] || [ -L "$b/$name" ]; then
        echo "left $b/$name, which is another program"
        [ "$name" = usher ] || echo \(Self.otherOpener)
      else ln -s "$d/usher" "$b/$name" && echo "linked $b/$name" || cannot "write $b/$name"; fi
    done
    \(scope.enabling)
    """
  }

  /// Returns the forms of the client to try on a system such as `Linux-x86_64`.
  private func clients(for system: String, hasPython: Bool) -> [Client] {
    var name = utsname()
    uname(&name)
    let own = [withText(&name.sysname), withText(&name.machine)].joined(separator: "-")
    let program = RemoteClientFiles.program.flatMap { system == own ? Client.program($0) : nil }
    let script = RemoteClientFiles.script.flatMap { hasPython ? Client.script($0) : nil }
    return [program, script].compactMap(\.self)
  }

  /// Copies the client, and returns whether it can be executed there.
  private func send(_ client: Client) throws(RemoteFailure) -> Bool {
    let path =
      switch client {
      case .program(let path), .script(let path): path
      }
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else {
      throw RemoteFailure(description: "cannot read \(path): \(String(cString: strerror(errno)))")
    }
    defer { close(file) }
    do throws(RemoteFailure) {
      guard try shell.copy(file, to: "\(scope.directory)/new") else {
        throw RemoteFailure(
          description: "cannot write the client to \(scope.directory) on \(shell.host); is its disk full?")
      }
    } catch {
      _ = try? shell.run("\(scope.variables); rm -f \"$d/new\"\n")
      throw error
    }
    // A program of another architecture, one whose libraries are missing and one for a newer Python print no version.
    let output = try shell.run(
      """
      \(scope.variables)
      chmod 755 "$d/new" && case $("$d/new" --version 2>/dev/null </dev/null) in "usher "*) echo works ;; esac

      """)
    return output.last == "works"
  }

  /// Returns the text of a field of `utsname`.
  private func withText<Field>(_ field: inout Field) -> String {
    withUnsafeBytes(of: &field) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }
}

/// The clients for other machines that are installed here.
enum RemoteClientFiles {
  /// The path of the static program; `nil` if it is not installed.
  static var program: String? { installed("../../bin/usher", "usher") }
  /// The path of the Python program; `nil` if it is not installed.
  static var script: String? {
    installed("../../share/usher/usher-open", "../../../desktop/remote/usher-open")
  }

  /// Returns the path of the first existing file, given from the directory of this program.
  private static func installed(_ paths: String...) -> String? {
    paths.compactMap { UserEnvironment.program(besideThis: $0) }.first { access($0, R_OK) == 0 }
  }
}
