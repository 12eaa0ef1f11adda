// SPDX-License-Identifier: Apache-2.0
/* notifications PIPE: a stand-in for a notification server that shows nothing, for a measurement.
 *
 * It records when Notify is called, with the title. org.example.Tap.Tap, on the same object, records "tap" with the title of the
 * last notification, and reports its default action, as a server does when the user clicks it.
 */
#include <string.h>
#include <systemd/sd-bus.h>
#include <systemd/sd-event.h>

#include "recording.h"

#define PATH "/org/freedesktop/Notifications"
#define NAME "org.freedesktop.Notifications"

static const char *recording;
static uint32_t last;
static char title[256];

static int capabilities(sd_bus_message *call, void *unused, sd_bus_error *error) {
  (void)unused, (void)error;
  return sd_bus_reply_method_return(call, "as", 2, "body", "actions");
}

static int notify(sd_bus_message *call, void *unused, sd_bus_error *error) {
  (void)unused, (void)error;
  uint64_t reached = now();
  const char *text = NULL;
  int result = sd_bus_message_skip(call, "sus");
  if (result >= 0) result = sd_bus_message_read(call, "s", &text);
  if (result < 0) return result;
  snprintf(title, sizeof title, "%s", text);
  record(recording, "shown", reached, title, "-");
  return sd_bus_reply_method_return(call, "u", ++last);
}

static int close_notification(sd_bus_message *call, void *unused, sd_bus_error *error) {
  (void)unused, (void)error;
  return sd_bus_reply_method_return(call, NULL);
}

static int tap(sd_bus_message *call, void *unused, sd_bus_error *error) {
  (void)unused, (void)error;
  sd_bus *bus = sd_bus_message_get_bus(call);
  record(recording, "tap", now(), title, "-");
  int result = sd_bus_emit_signal(bus, PATH, NAME, "ActionInvoked", "us", last, "default");
  if (result >= 0) result = sd_bus_emit_signal(bus, PATH, NAME, "NotificationClosed", "uu", last, 2u);
  return result < 0 ? result : sd_bus_reply_method_return(call, NULL);
}

static const sd_bus_vtable server[] = {
  SD_BUS_VTABLE_START(0),
  SD_BUS_METHOD("GetCapabilities", NULL, "as", capabilities, SD_BUS_VTABLE_UNPRIVILEGED),
  SD_BUS_METHOD("Notify", "susssasa{sv}i", "u", notify, SD_BUS_VTABLE_UNPRIVILEGED),
  SD_BUS_METHOD("CloseNotification", "u", NULL, close_notification, SD_BUS_VTABLE_UNPRIVILEGED),
  SD_BUS_SIGNAL("ActionInvoked", "us", 0),
  SD_BUS_SIGNAL("NotificationClosed", "uu", 0),
  SD_BUS_VTABLE_END,
};
static const sd_bus_vtable user[] = {
  SD_BUS_VTABLE_START(0),
  SD_BUS_METHOD("Tap", NULL, NULL, tap, SD_BUS_VTABLE_UNPRIVILEGED),
  SD_BUS_VTABLE_END,
};

int main(int argc, char **argv) {
  if (argc != 2) return 64;
  recording = argv[1];
  sd_bus *bus = NULL;
  sd_event *loop = NULL;
  int result = sd_event_new(&loop);
  if (result >= 0) result = sd_bus_open_user(&bus);
  if (result >= 0) result = sd_bus_add_object_vtable(bus, NULL, PATH, NAME, server, NULL);
  if (result >= 0) result = sd_bus_add_object_vtable(bus, NULL, PATH, "org.example.Tap", user, NULL);
  if (result >= 0) result = sd_bus_request_name(bus, NAME, 0);
  if (result >= 0) result = sd_bus_set_exit_on_disconnect(bus, 1);
  if (result >= 0) result = sd_bus_attach_event(bus, loop, 0);
  if (result < 0) {
    fprintf(stderr, "notifications: %s\n", strerror(-result));
    return 1;
  }
  record(recording, "ready", now(), NAME, "-");
  return sd_event_loop(loop) < 0;
}
