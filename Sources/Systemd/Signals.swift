import CSystemd
import Glibc

// Written by the signal handler, which may do nothing but `write`; set before the handler is installed.
nonisolated(unsafe) private var signalPipe: Int32 = -1

extension EventLoop {
  /// The signals of `numbers` that reach the process, in their order, instead of what they do by default.
  ///
  /// Works whatever threads the program has already started. One stream a process: a second call takes
  /// the signals away from the first.
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
      let source = try? EventSource.readable(self, readEnd) {
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
