// SPDX-License-Identifier: Apache-2.0
/// The limits of centrals and peripherals, as `desktop/org.usher.Triggers1.xml` states them.
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

  /// The maximum number of peripherals of one application.
  public static let peripheralsOfApplication = 4
  /// The maximum number of peripherals of all applications.
  public static let peripherals = 32
  /// The maximum number of services of a peripheral.
  public static let servicesOfPeripheral = 8
  /// The maximum number of characteristics of a service.
  public static let characteristics = 16
  /// The maximum number of bytes of a value (Core Specification, volume 3, part F, 3.2.9).
  public static let value = 512
  /// The maximum number of bytes of a peripheral as a property list, because each event contains it.
  public static let peripheralSize = 32_768
  /// The maximum number of bytes of an advertised name.
  public static let localName = 29
  /// The maximum number of events of one application's peripherals that wait for the broker.
  public static let eventsOfApplication = 64
  /// The maximum number of events of all peripherals that wait for the broker.
  public static let events = 256
  /// The maximum number of reads of one application's peripherals that wait for its answer.
  public static let readsOfApplication = 4
  /// The maximum number of reads of all peripherals that wait for an answer.
  public static let reads = 16
}
