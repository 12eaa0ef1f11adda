// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Runs `body` while the thread receives no signals, so that no signal ends a single-threaded program during `body`.
///
/// The signals have their effects afterwards. `SIGKILL` cannot be deferred.
package func withSignalsDeferred<Failure: Error>(_ body: () throws(Failure) -> Void) throws(Failure) {
  var all = sigset_t()
  var former = sigset_t()
  sigfillset(&all)
  pthread_sigmask(SIG_SETMASK, &all, &former)
  defer { pthread_sigmask(SIG_SETMASK, &former, nil) }
  try body()
}
