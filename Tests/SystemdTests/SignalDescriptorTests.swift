// SPDX-License-Identifier: Apache-2.0
import Glibc
import Systemd
import TestSupport
import Testing

@Suite struct `Signals by a descriptor` {
  @Test func `make the descriptor readable while it exists`() async throws {
    // The signal is sent only to this thread, because it would terminate any other thread of the tests.
    let (taken, wasBlocked) = try await BlockingWork.run { () -> ([Int32?], [Bool]) in
      func isBlocked() -> Bool {
        var mask = sigset_t()
        pthread_sigmask(SIG_BLOCK, nil, &mask)
        return sigismember(&mask, SIGUSR2) == 1
      }
      var mask = sigset_t()
      sigaddset(&mask, SIGUSR2)
      pthread_sigmask(SIG_UNBLOCK, &mask, nil)
      var wasBlocked = [isBlocked()]
      var taken: [Int32?] = []
      do {
        let descriptor = SignalDescriptor([SIGUSR2])
        taken.append(descriptor?.take())
        if descriptor != nil { pthread_kill(pthread_self(), SIGUSR2) }
        wasBlocked.append(isBlocked())
        taken += [descriptor?.take(), descriptor?.take()]
      }
      return (taken, wasBlocked + [isBlocked()])
    }
    #expect(taken == [nil, SIGUSR2, nil])
    #expect(wasBlocked == [false, true, false])
  }
}
