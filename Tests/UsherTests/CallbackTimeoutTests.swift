// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import BusInterfaces
import Testing

@testable import UsherCommand

@Suite struct `The timeout of usher open --callback` {
  @Test(arguments: [([], .seconds(300)), (["--timeout", "5"], .seconds(5))] as [([String], Duration)])
  func `limits the reply of the application as well as its answer`(
    words: [String], timeout: Duration
  ) throws {
    let command = try Usher.parseAsRoot(["open", "--callback"] + words + ["notes:1"])
    let call = try #require(command as? OpenCommand).call
    #expect(call.options.timeout == timeout && call.purpose == .ask(timeout: timeout))
  }
}
