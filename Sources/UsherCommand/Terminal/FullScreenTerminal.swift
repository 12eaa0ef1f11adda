// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The terminal of this process while a program uses all of it.
///
/// It writes without blocking: a terminal that does not read, such as that of a lost connection, delays neither keys nor signals.
final class FullScreenTerminal {
  /// The reason why the terminal cannot be used.
  struct Failure: Error {
    /// The complete message.
    let description: String
  }

  /// The size that is used if the terminal does not report one.
  private static let usual = ScreenSize(rows: 24, columns: 80)
  /// The largest size that is used.
  private static let largest = ScreenSize(rows: 500, columns: 1_000)
  /// The alternate screen, without the cursor and without line wrapping.
  private static let beginning = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[0m\u{1B}[2J"
  private static let ending = "\u{1B}[0m\u{1B}[?7h\u{1B}[?25h\u{1B}[2J\u{1B}[1;1H\u{1B}[?1049l"
  /// The control character that ends an incomplete sequence (CAN).
  private static let cancel = "\u{18}"

  /// The descriptor from which keys are read.
  let input = STDIN_FILENO
  /// An open file of its own for the terminal, so that `O_NONBLOCK` does not affect other programs.
  let output: Int32
  private let isColoured: Bool
  private var before = termios()
  private var isEntered = false
  /// The bytes that the terminal has not accepted yet.
  private var pending: ArraySlice<UInt8> = []
  /// The frame on the screen; `nil` if the screen has to be drawn completely.
  private var shown: ScreenFrame?

  /// Opens the terminal of standard input and output, without changing it.
  init(isColoured: Bool) throws(Failure) {
    self.isColoured = isColoured
    guard tcgetattr(input, &before) == 0 else {
      throw Failure(
        description: "cannot read the settings of the terminal: \(String(cString: strerror(errno)))")
    }
    let file = open("/proc/self/fd/\(STDOUT_FILENO)", O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    // After su(1), the file belongs to another user. Writing then blocks while the terminal does not read.
    output = file >= 0 ? file : dup(STDOUT_FILENO)
  }

  deinit {
    leave()
    close(output)
  }

  /// The current size of the terminal.
  var size: ScreenSize {
    var size = winsize()
    guard ioctl(output, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 0, size.ws_col > 0 else {
      return Self.usual
    }
    return ScreenSize(
      rows: min(Int(size.ws_row), Self.largest.rows), columns: min(Int(size.ws_col), Self.largest.columns))
  }

  /// A Boolean value that indicates whether the terminal has not accepted all output yet.
  var isBehind: Bool { !pending.isEmpty }

  /// Takes over the whole screen, with keys that arrive at once and are not printed.
  func enter() {
    var settings = before
    cfmakeraw(&settings)
    // Ctrl-C and Ctrl-Z remain signals, whose effects depend on the shell.
    settings.c_lflag |= tcflag_t(ISIG)
    tcsetattr(input, TCSANOW, &settings)
    isEntered = true
    shown = nil
    write(Self.beginning)
  }

  /// Restores the screen and the settings; has no effect if they are restored already.
  func leave() {
    guard isEntered else { return }
    isEntered = false
    // The rest of an incomplete frame is dropped.
    let text = (pending.isEmpty ? "" : Self.cancel) + Self.ending
    pending = ArraySlice(text.utf8)
    let deadline = ContinuousClock.now + .seconds(1)
    while !pending.isEmpty, .now < deadline {
      flush()
      guard !pending.isEmpty else { break }
      var polled = pollfd(fd: output, events: Int16(POLLOUT), revents: 0)
      poll(&polled, 1, 100)
    }
    pending = []
    tcsetattr(input, TCSANOW, &before)
  }

  /// Forgets what is on the screen, so that the next frame is drawn completely.
  func invalidate() { shown = nil }

  /// Draws the lines of a frame that differ from those on the screen.
  func show(_ frame: ScreenFrame) {
    guard frame != shown else { return }
    let isNew = shown?.size != frame.size
    var text = isNew ? "\u{1B}[0m\u{1B}[2J" : ""
    for row in 0..<frame.size.rows {
      let line = row < frame.lines.count ? frame.lines[row] : ScreenLine()
      let former = isNew ? ScreenLine() : shown.map { row < $0.lines.count ? $0.lines[row] : ScreenLine() }
      guard line != former else { continue }
      text +=
        "\u{1B}[\(row + 1);1H" + line.written(columns: frame.size.columns, isColoured: isColoured)
    }
    if let cursor = frame.cursor {
      text += "\u{1B}[\(cursor.row + 1);\(cursor.column + 1)H\u{1B}[?25h"
    } else if shown?.cursor != nil {
      text += "\u{1B}[?25l"
    }
    shown = frame
    write(text)
  }

  /// Writes pending output as far as the terminal accepts it.
  func flush() {
    while !pending.isEmpty {
      let count = pending.withUnsafeBytes { Glibc.write(output, $0.baseAddress, $0.count) }
      if count > 0 {
        pending = pending.dropFirst(count)
      } else if errno == EAGAIN {
        return
      } else if errno != EINTR {
        // The terminal is lost, which the end of its input reports.
        pending = []
      }
    }
  }

  private func write(_ text: String) {
    pending += text.utf8
    flush()
  }
}
