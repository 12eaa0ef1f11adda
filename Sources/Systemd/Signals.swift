// SPDX-License-Identifier: Apache-2.0
import CSystemd
import Glibc

// Written by the signal handler, which may call only `write`; set before the handler is installed.
nonisolated(unsafe) private var signalPipe: Int32 = -1

extension EventLoop {
  /// Returns a stream of the signals in `numbers` that the process receives, instead of their default action.
  ///
  /// It works with any threads that the program has already started. A process can have one stream: a second call
  /// redirects the signals from the first.
  public func signals(_ numbers: [Int32]) -> AsyncStream<Int32> {
    let (stream, continuation) = AsyncStream<Int32>.makeStream()
    var ends: [Int32] = [-1, -1]
    guard usher_pipe(&ends) == 0 else {
      continuation.finish()
      return stream
    }
    let readEnd = ends[0]
    signalPipe = ends[1]
    submit {
      let source = try? EventSource.readable(self, descriptor: readEnd) {
        var number: UInt8 = 0
        while read(readEnd, &number, 1) == 1 { continuation.yield(Int32(number)) }
      }
      if source == nil { continuation.finish() }
    }
    for number in numbers {
      var action = sigaction()
      action.__sigaction_handler.sa_handler = { number in
        let saved = errno
        var byte = UInt8(truncatingIfNeeded: number)
        write(signalPipe, &byte, 1)
        errno = saved
      }
      action.sa_flags = SA_RESTART
      sigaction(number, &action, nil)
    }
    return stream
  }
}
