// SPDX-License-Identifier: Apache-2.0
/* Calls of connected programs, measured from the call to its reply.
 *
 *   caller rounds COUNT URL WAIT       alternately one Open and two round trips to the echo; prints a line "OPEN ECHOES" for each
 *   caller once open|echo URL WAIT     one call, which may start the service; prints its time
 *   caller link PIPE URL WAIT          one call of Open, and records "start" immediately before it
 *   caller load open|echo CALLERS COUNT URL WAIT
 *                                      CALLERS connections, each with one pending call at any time, until COUNT calls have replies;
 *                                      prints the total time, then a line for each call
 *
 * Times are in nanoseconds. WAIT is the option of Open. An error reply ends the program with a message.
 */
#include <string.h>
#include <systemd/sd-bus.h>
#include <systemd/sd-event.h>

#include "recording.h"

enum { WARM_UP = 50 };

struct question {
  const char *name, *path, *interface, *member;
};
static const struct question questions[] = {
  {"org.usher.Broker1", "/org/usher/Broker1", "org.usher.Broker1", "Open"},
  {"org.example.Echo", "/org/example/Echo", "org.example.Echo", "Echo"},
};
static const char *url, *wait_for;

static void check(int result, const char *what) {
  if (result >= 0) return;
  fprintf(stderr, "caller: %s: %s\n", what, strerror(-result));
  exit(1);
}

static void fail(const sd_bus_error *error) {
  fprintf(stderr, "caller: %s: %s\n", error->name, error->message);
  exit(1);
}

static const struct question *question_named(const char *name) {
  return &questions[strcmp(name, "echo") == 0];
}

static sd_bus *connect_to_bus(void) {
  sd_bus *bus = NULL;
  check(sd_bus_open_user(&bus), "connecting");
  /* Connects before the measurement, because the first call would include the time of the connection. */
  const char *name;
  check(sd_bus_get_unique_name(bus, &name), "connecting");
  return bus;
}

static sd_bus_message *call_for(sd_bus *bus, const struct question *ask) {
  sd_bus_message *call = NULL;
  check(sd_bus_message_new_method_call(bus, &call, ask->name, ask->path, ask->interface, ask->member), "a call");
  check(sd_bus_message_append(call, "asa{sv}", 1, url, 1, "wait", "s", wait_for), "a call");
  return call;
}

static uint64_t time_one(sd_bus *bus, const struct question *ask) {
  sd_bus_error error = SD_BUS_ERROR_NULL;
  uint64_t begin = now();
  sd_bus_message *call = call_for(bus, ask), *reply = NULL;
  if (sd_bus_call(bus, call, 0, &error, &reply) < 0) fail(&error);
  uint64_t elapsed = now() - begin;
  sd_bus_message_unref(reply);
  sd_bus_message_unref(call);
  return elapsed;
}

static void in_rounds(long count) {
  sd_bus *bus = connect_to_bus();
  for (long round = -WARM_UP; round < count; round++) {
    uint64_t opened = time_one(bus, &questions[0]);
    uint64_t echoed = time_one(bus, &questions[1]) + time_one(bus, &questions[1]);
    if (round >= 0) printf("%llu %llu\n", (unsigned long long)opened, (unsigned long long)echoed);
  }
}

static void link_once(const char *pipe) {
  sd_bus *bus = connect_to_bus();
  record(pipe, "start", now(), url, "-");
  time_one(bus, &questions[0]);
}

struct load {
  const struct question *ask;
  sd_event *loop;
  uint64_t *times;
  long count, sent, answered;
};
struct caller {
  struct load *load;
  sd_bus *bus;
  uint64_t begin;
};

static void ask(struct caller *caller);

static int answered(sd_bus_message *reply, void *context, sd_bus_error *unused) {
  (void)unused;
  struct caller *caller = context;
  struct load *load = caller->load;
  if (sd_bus_message_is_method_error(reply, NULL)) fail(sd_bus_message_get_error(reply));
  load->times[load->answered++] = now() - caller->begin;
  if (load->answered == load->count) return sd_event_exit(load->loop, 0);
  if (load->sent < load->count) ask(caller);
  return 1;
}

static void ask(struct caller *caller) {
  caller->load->sent++;
  caller->begin = now();
  sd_bus_message *call = call_for(caller->bus, caller->load->ask);
  check(sd_bus_call_async(caller->bus, NULL, call, answered, caller, 0), "a call");
  sd_bus_message_unref(call);
}

static void under_load(const char *which, long callers, long count) {
  struct load load = {.ask = question_named(which), .count = count};
  struct caller *all = calloc((size_t)callers, sizeof *all);
  load.times = calloc((size_t)count, sizeof *load.times);
  if (!all || !load.times) check(-ENOMEM, "callers");
  check(sd_event_new(&load.loop), "an event loop");
  for (long i = 0; i < callers; i++) {
    all[i] = (struct caller){.load = &load, .bus = connect_to_bus()};
    time_one(all[i].bus, load.ask);
    check(sd_bus_attach_event(all[i].bus, load.loop, 0), "an event loop");
  }
  uint64_t begin = now();
  for (long i = 0; i < callers && load.sent < count; i++) ask(&all[i]);
  check(sd_event_loop(load.loop), "an event loop");
  printf("%llu\n", (unsigned long long)(now() - begin));
  for (long i = 0; i < load.answered; i++) printf("%llu\n", (unsigned long long)load.times[i]);
}

int main(int argc, char **argv) {
  if (argc < 5) return 64;
  url = argv[argc - 2];
  wait_for = argv[argc - 1];
  if (strcmp(argv[1], "rounds") == 0) in_rounds(atol(argv[2]));
  else if (strcmp(argv[1], "once") == 0) printf("%llu\n", (unsigned long long)time_one(connect_to_bus(), question_named(argv[2])));
  else if (strcmp(argv[1], "link") == 0) link_once(argv[2]);
  else if (strcmp(argv[1], "load") == 0 && argc == 7) under_load(argv[2], atol(argv[3]), atol(argv[4]));
  else return 64;
  return 0;
}
