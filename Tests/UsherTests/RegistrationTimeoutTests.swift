// SPDX-License-Identifier: Apache-2.0
import Freedesktop
import Glibc
import TestSupport
import Testing

@testable import UsherCommand

@Suite struct `A registration` {
  @Test func `does not wait for ever for a lock that another process holds`() throws {
    let desktop = try ThrowAwayDesktop(hasBus: false)
    var service = RegistrationService(environment: desktop.environment)
    service.timeout = .milliseconds(50)
    let directory = service.directories.configHome
    try service.change { () throws(FreedesktopError) in }
    mkdir(directory, 0o700)
    let other = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    try #require(flock(other, LOCK_EX) == 0)
    let error = #expect(throws: FreedesktopError.self) {
      try service.change { () throws(FreedesktopError) in }
    }
    #expect(error?.description.contains("fuser -v \(directory)") == true, "\(String(describing: error))")
    // A program that another test is starting has the descriptor until it is executed.
    flock(other, LOCK_UN)
    close(other)
    try service.change { () throws(FreedesktopError) in }
  }
}
