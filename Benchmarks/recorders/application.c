// SPDX-License-Identifier: Apache-2.0
/* application PIPE ROLE ID…: running applications for a measurement, each with its own connection and minimal cost.
 *
 * ROLE is the served interface:
 *   standard   org.freedesktop.Application, recording when Open is called
 *   direct     org.usher.Application1, recording when Deliver is called
 *   quiet      org.usher.Application1, recording nothing: a target for load tests
 *   broker     org.usher.Broker1, which reports every link as delivered
 *   echo       org.example.Echo, whose only method returns its arguments
 */
#include <string.h>
#include <sys/resource.h>
#include <systemd/sd-bus.h>
#include <systemd/sd-event.h>

#include "recording.h"

static const char *recording;

static int open_uris(sd_bus_message *call, void *unused, sd_bus_error *error) {
  (void)unused, (void)error;
  uint64_t reached = now();
  const char *uri = NULL;
  if (sd_bus_message_enter_container(call, 'a', "s") < 0 || sd_bus_message_read(call, "s", &uri) < 0) return -EINVAL;
  record(recording, "handler", reached, uri ? uri : "-", "-");
  return sd_bus_reply_method_return(call, NULL);
}

static int activate(sd_bus_message *call, void *unused, sd_bus_error *error) {
  (void)unused, (void)error;
  return sd_bus_reply_method_return(call, NULL);
}

static int handled(sd_bus_message *call) {
  return sd_bus_reply_method_return(call, "a{sv}", 1, "handled", "b", 1);
}

static int deliver_quietly(sd_bus_message *call, void *unused, sd_bus_error *error) {
  (void)unused, (void)error;
  return handled(call);
}

/* Finds the URLs in an envelope; the first one identifies the round. */
static const char *first_url(sd_bus_message *call) {
  const char *key, *url = "-";
  if (sd_bus_message_enter_container(call, 'a', "{sv}") < 0) return url;
  while (sd_bus_message_enter_container(call, 'e', "sv") > 0) {
    sd_bus_message_read(call, "s", &key);
    if (strcmp(key, "urls") == 0) {
      sd_bus_message_enter_container(call, 'v', "as");
      sd_bus_message_enter_container(call, 'a', "s");
      sd_bus_message_read(call, "s", &url);
      return url;
    }
    sd_bus_message_skip(call, "v");
    sd_bus_message_exit_container(call);
  }
  return url;
}

static int deliver(sd_bus_message *call, void *unused, sd_bus_error *error) {
  (void)unused, (void)error;
  uint64_t reached = now();
  record(recording, "handler", reached, first_url(call), "-");
  return handled(call);
}

/* Open(as uris, a{sv} options) → a{sv}: returns a receipt with any request ID. */
static int receive(sd_bus_message *call, void *unused, sd_bus_error *error) {
  (void)unused, (void)error;
  return sd_bus_reply_method_return(
    call, "a{sv}", 3, "request-id", "s", "r", "outcome", "s", "delivered", "deliveries", "aa{sv}", 1, 3,
    "application", "s", "org.example.Notes", "outcome", "s", "delivered", "delivery", "s", "running");
}

/* Echo(as uris, a{sv} options) → a{sv}: has the signature of Broker1.Open, and does nothing. */
static int echo(sd_bus_message *call, void *unused, sd_bus_error *error) {
  (void)unused, (void)error;
  sd_bus_message *reply = NULL;
  int result = sd_bus_message_skip(call, "as");
  if (result >= 0) result = sd_bus_message_new_method_return(call, &reply);
  if (result >= 0) result = sd_bus_message_copy(reply, call, 0);
  if (result >= 0) result = sd_bus_send(NULL, reply, NULL);
  sd_bus_message_unref(reply);
  return result < 0 ? result : 1;
}

static const sd_bus_vtable standard[] = {
  SD_BUS_VTABLE_START(0),
  SD_BUS_METHOD("Open", "asa{sv}", NULL, open_uris, SD_BUS_VTABLE_UNPRIVILEGED),
  SD_BUS_METHOD("Activate", "a{sv}", NULL, activate, SD_BUS_VTABLE_UNPRIVILEGED),
  SD_BUS_VTABLE_END,
};
static const sd_bus_vtable direct[] = {
  SD_BUS_VTABLE_START(0),
  SD_BUS_METHOD("Deliver", "a{sv}", "a{sv}", deliver, SD_BUS_VTABLE_UNPRIVILEGED),
  SD_BUS_VTABLE_END,
};
static const sd_bus_vtable quiet[] = {
  SD_BUS_VTABLE_START(0),
  SD_BUS_METHOD("Deliver", "a{sv}", "a{sv}", deliver_quietly, SD_BUS_VTABLE_UNPRIVILEGED),
  SD_BUS_VTABLE_END,
};
static const sd_bus_vtable receiving[] = {
  SD_BUS_VTABLE_START(0),
  SD_BUS_METHOD("Open", "asa{sv}", "a{sv}", receive, SD_BUS_VTABLE_UNPRIVILEGED),
  SD_BUS_VTABLE_END,
};
static const sd_bus_vtable echoing[] = {
  SD_BUS_VTABLE_START(0),
  SD_BUS_METHOD("Echo", "asa{sv}", "a{sv}", echo, SD_BUS_VTABLE_UNPRIVILEGED),
  SD_BUS_VTABLE_END,
};
static const struct {
  const char *name, *interface;
  const sd_bus_vtable *methods;
} roles[] = {
  {"standard", "org.freedesktop.Application", standard},
  {"direct", "org.usher.Application1", direct},
  {"quiet", "org.usher.Application1", quiet},
  {"broker", "org.usher.Broker1", receiving},
  {"echo", "org.example.Echo", echoing},
};

static int serve(sd_bus *bus, const char *role, const char *id) {
  char path[256];
  snprintf(path, sizeof path, "/%s", id);
  for (char *dot = path; (dot = strchr(dot, '.')); ) *dot = '/';
  for (size_t i = 0; i < sizeof roles / sizeof *roles; i++) {
    if (strcmp(roles[i].name, role) != 0) continue;
    int result = sd_bus_add_object_vtable(bus, NULL, path, roles[i].interface, roles[i].methods, NULL);
    return result < 0 ? result : sd_bus_request_name(bus, id, 0);
  }
  return -EINVAL;
}

/* A thousand connections need more file descriptors than the default limit. */
static void raise_limit(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) < 0) return;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

static int start(sd_event *loop, const char *role, const char *id) {
  sd_bus *bus = NULL;
  int result = sd_bus_open_user(&bus);
  if (result >= 0) result = serve(bus, role, id);
  if (result >= 0) result = sd_bus_set_exit_on_disconnect(bus, 1);
  if (result >= 0) result = sd_bus_attach_event(bus, loop, 0);
  if (result >= 0) record(recording, "ready", now(), id, "-");
  else fprintf(stderr, "application: %s: %s\n", id, strerror(-result));
  return result;
}

int main(int argc, char **argv) {
  if (argc < 4) return 64;
  recording = argv[1];
  raise_limit();
  sd_event *loop = NULL;
  if (sd_event_new(&loop) < 0) return 1;
  for (int i = 3; i < argc; i++)
    if (start(loop, argv[2], argv[i]) < 0) return 1;
  return sd_event_loop(loop) < 0;
}
