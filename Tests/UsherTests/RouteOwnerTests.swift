// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Route files in the real `/etc/xdg/usher/routes`, in a mount namespace of its own, with owners and modes that root did not intend.
@Suite(.enabled(if: getuid() == 0)) struct `Route files that others can write` {
  private static let file = """
    format = 1
    owner = "administrator"
    [route.no]
    scheme = "corpal"
    deny = "no"
    final = true
    [route.two]
    scheme = "corpal2"
    deny = "no"
    final = true
    """

  /// Runs a shell script in a namespace in which `/etc/xdg/usher/routes` has `a.toml` and `b.toml`, both root's.
  private func run(_ script: String) async throws -> CommandResult {
    let desktop = try ThrowAwayDesktop(hasBus: false)
    try desktop.write(Self.file, to: "a.toml")
    try desktop.write(
      Self.file.replacing("route.", with: "route.b-").replacing("corpal", with: "corpbl"), to: "b.toml")
    let setup = """
      mount -t tmpfs -o mode=755 tmpfs /etc/xdg && mkdir -p /etc/xdg/usher/routes && cd /etc/xdg/usher/routes
      install -m 644 -o root "$1/a.toml" "$1/b.toml" .

      """
    return try await Command.run(
      "unshare", ["--mount", "sh", "-c", setup + script, BuiltProducts.usher, desktop.root],
      environment: desktop.environment.merging(["XDG_CONFIG_DIRS": "/etc/xdg"]) { $1 },
      directory: desktop.home)
  }

  private static let hint =
    "`final` has an effect only if users other than root cannot write the file and the directories above it, but "

  @Test func `are reported by a check of the file, in each spelling of its path, and of the directory`()
    async throws
  {
    let sound = try await run("$0 routes check /etc/xdg/usher/routes && $0 routes check a.toml")
    #expect(sound.status == 0, "\(sound)")
    let owned = try await run(
      "chown 1234 b.toml; $0 routes check /etc/xdg/usher/routes/b.toml; $0 routes check ./b.toml; $0 routes check .; $0 routes check a.toml"
    )
    let problem =
      "6:1: error: \(Self.hint)/etc/xdg/usher/routes/b.toml belongs to user 1234: run: chown root /etc/xdg/usher/routes/b.toml"
    #expect(
      owned.lines == [
        "/etc/xdg/usher/routes/b.toml:\(problem)", "./b.toml:\(problem)", "./b.toml:\(problem)",
      ], "\(owned)")
    #expect(owned.status == 0, "a.toml is root's")
    let elsewhere = try await run("chmod 666 $1/a.toml; $0 routes check $1/a.toml")
    #expect(elsewhere.status == 0, "a file that is not installed may have any owner: \(elsewhere)")
  }

  @Test func `that users cannot read are reported to root, and the error of a user names both commands`()
    async throws
  {
    let hidden = try await run(
      "chmod 600 b.toml; $0 routes check .; chmod 644 b.toml; chmod 700 .; $0 routes check /etc/xdg/usher/routes"
    )
    let sentence =
      "warning: users cannot read it, so their brokers use an earlier version, or reject the links that it may forbid: run: chmod"
    #expect(
      hidden.lines == [
        "./b.toml:1:1: \(sentence) a+r ./b.toml",
        "/etc/xdg/usher/routes:1:1: \(sentence) a+rx /etc/xdg/usher/routes",
      ], "\(hidden)")
    #expect(hidden.status == 2)
    let elsewhere = try await run("chmod 600 $1/a.toml; $0 routes check $1/a.toml")
    #expect(elsewhere.status == 0, "a file that is not installed may have any mode: \(elsewhere)")
    let user = try await run(
      "chmod 600 b.toml; chmod -R a+rX $1; setpriv --reuid 1234 --clear-groups $0 open --dry-run corpbl:1")
    #expect(
      user.output.contains(
        "b.toml:1:1: it cannot be opened: Permission denied: run: `chmod a+r /etc/xdg/usher/routes/b.toml`; then run: `usher routes check /etc/xdg/usher/routes/b.toml`"
      ), "\(user)")
  }

  private static let open = """
    format = 1
    owner = "administrator"
    [route.o]
    scheme = "corpol"
    deny = "no"
    """

  @Test func `are reported without a final route, and the others as root's`() async throws {
    let script = """
      cat >o.toml <<'END'
      \(Self.open)
      END
      chmod 646 o.toml; install -D a.toml sub/a.toml; cp a.toml c.TOML

      """
    let file = "/etc/xdg/usher/routes/o.toml"
    let message = "\(file) can be written by users other than root: run: chmod go-w \(file)"
    let checked = try await run(
      script + "$0 routes check \(file); $0 routes check a.toml; $0 routes check --system; $0 doctor")
    #expect(
      checked.lines.filter { $0.hasPrefix("\(file):1:1: warning: ") && $0.hasSuffix(message) }.count == 2,
      "\(checked)")
    #expect(
      checked.lines.contains { $0.hasPrefix("\(file):1: ") && $0.hasSuffix("to fix it: chmod go-w \(file)") },
      "\(checked)")
    #expect(checked.errorOutput.contains("usher: only root can change a.toml\n"), "\(checked)")
    let directory = "/etc/xdg/usher/routes"
    #expect(!checked.errorOutput.contains("only root can change \(directory)\n"))
    for path in ["c.TOML", "sub"] {
      #expect(checked.errorOutput.contains("usher: not read: \(directory)/\(path): "), "\(checked)")
      #expect(
        checked.lines.contains { $0.hasPrefix("note: \(directory)/\(path) is not read: ") }, "\(checked)")
    }
    let sound = try await run("$0 routes check --system; $0 routes check --json \(directory)/a.toml")
    #expect(sound.errorOutput.contains("usher: only root can change \(directory)\n"), "\(sound)")
    #expect(sound.lines.last?.contains("\"diagnostics\":[]") == true, "\(sound)")
  }

  @Test func `are one problem if their directory is the cause, which doctor corrects with chown`()
    async throws
  {
    let result = try await run(
      "chown 1234 .; $0 routes check /etc/xdg/usher/routes; $0 doctor; $0 open corpal:1 </dev/null")
    let cause = "but /etc/xdg/usher/routes belongs to user 1234: run: chown root /etc/xdg/usher/routes"
    let found = result.lines.filter { $0.contains(cause) }
    #expect(
      found.count == 2 && found.last?.hasSuffix("; to fix it: chown root /etc/xdg/usher/routes") == true,
      "\(result)")
    #expect(
      result.errorOutput.contains("\(cause); then run: `usher routes check /etc/xdg/usher/routes/a.toml`"),
      "\(result)")
    let open = try await run("chmod 664 a.toml; chmod 660 b.toml; $0 doctor")
    #expect(
      open.lines.filter { $0.contains("to fix it: chmod go-w /etc/xdg/usher/routes/") }.count == 2, "\(open)")
  }
}
