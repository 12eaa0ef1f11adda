// SPDX-License-Identifier: Apache-2.0
/// The limits of monitored Bluetooth devices, as `desktop/org.usher.Triggers1.xml` states them.
public enum BluetoothLimits {
  /// The maximum number of centrals of one application.
  public static let centralsOfApplication = 8
  /// The maximum number of centrals of all applications.
  public static let centrals = 200
  /// The maximum number of devices of a central.
  public static let devices = 32
  /// The maximum number of services of a central.
  public static let services = 16
  /// The time in which one device is reported once to a central as discovered, in milliseconds.
  ///
  /// A device at the edge of the range appears and disappears, and must not start an application each time.
  public static let discoveryInterval: Int64 = 300_000
  /// The maximum number of discovered devices that a central remembers; the oldest ones are forgotten.
  static let discoveries = 256
}
