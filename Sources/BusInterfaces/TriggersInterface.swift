// SPDX-License-Identifier: Apache-2.0
public import DBus

/// The interface `org.usher.Triggers1`, documented in `desktop/org.usher.Triggers1.xml`.
///
/// The first argument of most methods is the desktop-file ID of an application; the empty text is the application of the
/// caller.
public enum TriggersInterface {
  /// The name of the interface.
  public static let name: InterfaceName = "org.usher.Triggers1"
  /// The bus name of `usher-triggers`.
  public static let busName: BusName = "org.usher.Triggers1"
  /// The path of its object.
  public static let path: ObjectPath = "/org/usher/Triggers1"
  /// The prefix of the bus names of push distributors (UnifiedPush).
  public static let distributorPrefix = "org.unifiedpush.Distributor."
  /// Its object on the bus.
  public static let triggers = RemoteObject(busName, path)

  /// Returns whether the user allows the notifications of an application; asks the user once.
  public static let requestAuthorization = BusMethod<Arguments<String, [String]>, Arguments<Bool>>(
    "RequestAuthorization", of: name, takes: ["application", "options"], returns: ["granted"])
  /// Returns what the user allows and what the notification server can do.
  public static let notificationSettings = BusMethod<Arguments<String>, Arguments<[String: Variant]>>(
    "NotificationSettings", of: name, takes: ["application"], returns: ["settings"])

  /// Stores a notification until its trigger is due, or shows it at once.
  public static let addNotification = BusMethod<Arguments<String, [String: Variant]>, Arguments<>>(
    "AddNotification", of: name, takes: ["application", "request"])
  /// Returns the notifications whose triggers are not due, the next one first.
  public static let pendingNotifications = BusMethod<Arguments<String>, Arguments<[[String: Variant]]>>(
    "PendingNotifications", of: name, takes: ["application"], returns: ["requests"])
  /// Returns the notifications that are shown, the newest first.
  public static let deliveredNotifications = BusMethod<Arguments<String>, Arguments<[[String: Variant]]>>(
    "DeliveredNotifications", of: name, takes: ["application"], returns: ["notifications"])
  /// Removes notifications whose triggers are not due.
  public static let removePendingNotifications = BusMethod<Arguments<String, [String]>, Arguments<>>(
    "RemovePendingNotifications", of: name, takes: ["application", "identifiers"])
  /// Removes all notifications of an application whose triggers are not due.
  public static let removeAllPendingNotifications = BusMethod<Arguments<String>, Arguments<>>(
    "RemoveAllPendingNotifications", of: name, takes: ["application"])
  /// Removes notifications that are shown.
  public static let removeDeliveredNotifications = BusMethod<Arguments<String, [String]>, Arguments<>>(
    "RemoveDeliveredNotifications", of: name, takes: ["application", "identifiers"])
  /// Removes all notifications of an application that are shown.
  public static let removeAllDeliveredNotifications = BusMethod<Arguments<String>, Arguments<>>(
    "RemoveAllDeliveredNotifications", of: name, takes: ["application"])

  /// Replaces the categories of an application.
  public static let setNotificationCategories = BusMethod<
    Arguments<String, [[String: Variant]]>, Arguments<>
  >(
    "SetNotificationCategories", of: name, takes: ["application", "categories"])
  /// Returns the categories of an application.
  public static let notificationCategories = BusMethod<Arguments<String>, Arguments<[[String: Variant]]>>(
    "NotificationCategories", of: name, takes: ["application"], returns: ["categories"])
  /// Sets the number on the icon of an application; 0 removes it.
  public static let setBadge = BusMethod<Arguments<String, UInt32>, Arguments<>>(
    "SetBadge", of: name, takes: ["application", "badge"])

  /// Registers an application for notifications from its server.
  public static let registerForRemoteNotifications = BusMethod<
    Arguments<String, [String: Variant]>, Arguments<[String: Variant]>
  >(
    "RegisterForRemoteNotifications", of: name, takes: ["application", "options"], returns: ["token"])
  /// The timeout of a call that registers: the distributor may have to start and to ask its server, and then reports the endpoint.
  package static let registrationTimeout = Duration.seconds(150)
  /// Ends the registration of an application.
  public static let unregisterForRemoteNotifications = BusMethod<Arguments<String>, Arguments<>>(
    "UnregisterForRemoteNotifications", of: name, takes: ["application"])
  /// Returns the registrations of all applications.
  public static let remoteNotificationRegistrations = BusMethod<Arguments<>, Arguments<[[String: Variant]]>>(
    "RemoteNotificationRegistrations", of: name, returns: ["registrations"])
  /// Reports to an application that it has to send another token to its server.
  public static let remoteNotificationTokenChanged = BusSignal<Arguments<String, [String: Variant]>>(
    "RemoteNotificationTokenChanged", of: name, carries: ["application", "token"])

  /// Stores a download, and transfers it in the background.
  public static let addDownload = BusMethod<
    Arguments<String, [String: Variant]>, Arguments<[String: Variant]>
  >(
    "AddDownload", of: name, takes: ["application", "request"], returns: ["download"])
  /// The key in the request of ``addDownload`` for errors with details, whose message GLib does not return.
  public static let errorDetails = "error-details"
  /// Returns the downloads that are not finished.
  public static let downloads = BusMethod<Arguments<>, Arguments<[[String: Variant]]>>(
    "Downloads", of: name, returns: ["downloads"])
  /// Cancels downloads.
  public static let cancelDownloads = BusMethod<Arguments<String, [String]>, Arguments<>>(
    "CancelDownloads", of: name, takes: ["application", "identifiers"])
  /// Stops the transfers of downloads until they are resumed.
  public static let pauseDownloads = BusMethod<Arguments<String, [String]>, Arguments<>>(
    "PauseDownloads", of: name, takes: ["application", "identifiers"])
  /// Resumes downloads, also those that wait for their next attempt.
  public static let resumeDownloads = BusMethod<Arguments<String, [String]>, Arguments<>>(
    "ResumeDownloads", of: name, takes: ["application", "identifiers"])
  /// Reports to an application how much of a download was received.
  public static let downloadProgress = BusSignal<Arguments<String, [String: Variant]>>(
    "DownloadProgress", of: name, carries: ["identifier", "progress"])

  /// The version of Usher, such as `0.2.0`.
  public static let version = BusProperty<String>("Version", of: name)
}
