/// What the broker says at the socket: one byte a packet.
public enum OpenAnswer: UInt8, Sendable {
  /// All got as far as was waited for, and there is nothing that a program's caller would read.
  case done = 0x64  // d
  /// There is something to be told: whoever asks `org.usher.Broker1` for the same request with `again` gets it.
  case ask = 0x61  // a
  /// The broker's kernel cannot tell which process connected: a packet of one byte in reply proves it, and then it goes on.
  case identify = 0x69  // i
  /// From now on nobody may know what becomes of it if the broker goes; the answer follows.
  case uncertain = 0x75  // u
}
