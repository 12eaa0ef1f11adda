import TestSupport
import Testing

@Suite struct `The command itself` {
  @Test func `Version, in one line`() async throws {
    let result = try await Command.run(BuiltProducts.usher, ["--version"])
    #expect(result.succeeded && result.lines.count == 1 && result.output.hasPrefix("usher "))
  }

  @Test func `Every subcommand has an abstract and is in the help`() async throws {
    let help = try await Command.run(BuiltProducts.usher, ["--help"]).orThrow()
    for name in ["open", "explain", "handlers", "register", "unregister", "doctor", "routes", "grants"] {
      #expect(help.output.contains("  \(name)  "))
      let own = try await Command.run(BuiltProducts.usher, [name, "--help"]).orThrow()
      #expect(own.output.hasPrefix("OVERVIEW: ") && own.output.contains("USAGE: usher \(name)"))
    }
    let open = try await Command.run(BuiltProducts.usher, ["open", "--help"])
    #expect(!open.output.contains("--from-desktop") && open.output.contains("69 needs"))
  }

  @Test(arguments: ["bash", "zsh", "fish"])
  func `Completions for`(shell: String) async throws {
    let script = try await Command.run(BuiltProducts.usher, ["--generate-completion-script", shell]).orThrow()
    #expect(script.output.contains("source-application"))
    if shell == "bash" {
      let syntax = try await Command.run("bash", ["-n"], input: script.output)
      #expect(syntax.succeeded, "\(syntax)")
    }
  }
}
