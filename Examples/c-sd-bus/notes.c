/* Notes on sd-bus: serves org.usher.Application1 itself. It prints one line of JSON for each request. */
#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <systemd/sd-bus.h>
#include <unistd.h>

#define ID "org.example.BusNotes"

/* Converts a D-Bus value to JSON; NULL if there is none, or if its type is not supported. */
static json_t *read_value(sd_bus_message *message) {
  char type;
  const char *contents;
  if (sd_bus_message_peek_type(message, &type, &contents) <= 0) return NULL;
  union { const char *text; int truth; double real; uint8_t y; int32_t i; uint32_t u; int64_t x; } value = {0};
  if (type != 'v' && type != 'a') sd_bus_message_read_basic(message, type, &value);
  json_t *found = NULL;
  switch (type) {
  case 's': case 'o': case 'g': return json_string(value.text);
  case 'b': return json_boolean(value.truth);
  case 'd': return json_real(value.real);
  case 'y': return json_integer(value.y);
  case 'i': return json_integer(value.i);
  case 'u': return json_integer(value.u);
  case 'x': case 't': return json_integer(value.x);
  case 'v':
    sd_bus_message_enter_container(message, type, contents);
    found = read_value(message);
    break;
  case 'a':
    sd_bus_message_enter_container(message, type, contents);
    if (strcmp(contents, "{sv}") == 0) {
      found = json_object();
      for (const char *key; sd_bus_message_enter_container(message, 'e', "sv") > 0; sd_bus_message_exit_container(message)) {
        sd_bus_message_read(message, "s", &key);
        json_object_set_new(found, key, read_value(message));
      }
    } else {
      found = json_array();
      for (json_t *element; (element = read_value(message)) != NULL;) json_array_append_new(found, element);
    }
    break;
  default: return NULL;
  }
  sd_bus_message_exit_container(message);
  return found;
}

/* The earlier requests, by ID, the newest last: {"begun": N} until there is an answer, which is the number of opened links or an error message.
 * A file remembers them, so that a crash repeats none. */
static json_t *states;
static char path[4096];
static FILE *journal;
static int lines;
/* 0 as long as there is a file that cannot be read: it may have the answer of a repeated request. */
static int is_read;

/* The number of remembered answers; the file has at most as many lines more before it is replaced. */
#define CAPACITY 1000

/* Adds a state; beyond the capacity, it replaces the oldest answer. A request that has no answer is never forgotten. */
static void keep(const char *id, json_t *state) {
  json_object_del(states, id);
  if (json_object_size(states) >= CAPACITY) {
    void *oldest = json_object_iter(states);
    while (oldest && json_object_get(json_object_iter_value(oldest), "begun")) oldest = json_object_iter_next(states, oldest);
    if (oldest) json_object_del(states, json_object_iter_key(oldest));
  }
  json_object_set_new(states, id, state);
}

static int write_line(FILE *file, const char *id, json_t *state) {
  json_t *line = json_pack("{s:O}", id, state);
  int result = json_dumpf(line, file, JSON_COMPACT | JSON_ENCODE_ANY);
  json_decref(line);
  return result == 0 && fputc('\n', file) != EOF && fflush(file) == 0 ? 0 : -1;
}

/* Replaces the file by one with the remembered requests. Whenever the program crashes, the file is complete. */
static void rewrite_journal(void) {
  if (!is_read) return;
  char new[sizeof path + 4];
  snprintf(new, sizeof new, "%s.new", path);
  FILE *file = fopen(new, "we");
  int result = file ? 0 : -1;
  const char *id;
  json_t *state;
  if (file) json_object_foreach(states, id, state) result = result == 0 ? write_line(file, id, state) : result;
  if (result == 0 && fsync(fileno(file)) == 0 && rename(new, path) == 0) {
    if (journal) fclose(journal);
    journal = file;
  } else if (file) {
    fclose(file);
  }
  lines = 0;
}

static void record(const char *id, json_t *state) {
  keep(id, state);
  /* After an error, the file may end with a part of the line. */
  if (!journal || write_line(journal, id, state) < 0 || ++lines > CAPACITY) rewrite_journal();
}

static void find_journal(void) {
  states = json_object();
  const char *runtime = getenv("XDG_RUNTIME_DIR"), *sandbox = getenv("FLATPAK_ID");
  snprintf(path, sizeof path, "%s/%s%s", runtime ? runtime : "/nonexistent", sandbox ? "app/" : "usher", sandbox ? sandbox : "");
  mkdir(path, 0700);
  strncat(path, "/" ID ".answers", sizeof path - strlen(path) - 1);
  umask(077);
}

/* Reads and replaces the file, unless this was done before. A file that cannot be read is not replaced. Only the instance that owns the bus name
 * receives requests, so that it alone opens the file, with the first request. */
static void open_journal(void) {
  if (!states) find_journal();
  if (is_read) return;
  char line[65536];
  FILE *earlier = fopen(path, "re");
  if (!earlier && errno != ENOENT && errno != ENOTDIR) return;
  /* Answers that were given while the file could not be read are the newest ones. */
  json_t *newest = states, *state;
  const char *id;
  states = json_object();
  while (earlier && fgets(line, sizeof line, earlier)) {
    json_t *entry = json_loads(line, 0, NULL);
    json_object_foreach(entry, id, state) keep(id, json_incref(state));
    json_decref(entry);
  }
  is_read = !earlier || !ferror(earlier);
  if (earlier) fclose(earlier);
  json_object_foreach(newest, id, state) keep(id, json_incref(state));
  json_decref(newest);
  rewrite_journal();
}

/* Opens a link. Returns NULL, or the error message for the caller. */
static const char *open_link(const char *url) {
  size_t length = strlen(url);
  return length > 7 && strcmp(url + length - 7, "missing") == 0 ? "there is no such note" : NULL;
}

/* `activate` (start, or bring to the front) is a request without a link. This program does not support the other reasons. */
static int is_known(json_t *request) {
  const char *reason = json_string_value(json_object_get(request, "reason"));
  return !reason || strcmp(reason, "url") == 0 || strcmp(reason, "activate") == 0;
}

/* Returns whether a request has an ID and, unless its reason is another than `url`, a link. */
static int is_valid(json_t *request) {
  const char *id = json_string_value(json_object_get(request, "request-id"));
  const char *reason = json_string_value(json_object_get(request, "reason"));
  int needs_link = !reason || strcmp(reason, "url") == 0;
  return id && *id && (!needs_link || json_array_size(json_object_get(request, "urls")) > 0);
}

/* Returns whether an earlier instance of this program may have had a request. */
static int is_repeated(json_t *request) {
  return json_is_true(json_object_get(request, "redelivered")) || json_is_true(json_object_get(request, "repeated"));
}

/* Opens the links of a request, and returns the error of the last one that failed. */
static const char *open_request(json_t *request) {
  json_object_set_new(request, "pid", json_integer(getpid()));
  json_dumpf(request, stdout, JSON_COMPACT);
  puts("");
  fflush(stdout);
  const char *error = NULL;
  size_t index;
  json_t *url;
  json_array_foreach(json_object_get(request, "urls"), index, url) {
    const char *failure = open_link(json_string_value(url));
    if (failure) error = failure;
  }
  return error;
}

/* Returns whether a call comes from the broker. Envelopes of other senders must not be trusted. */
static int is_from_broker(sd_bus_message *call) {
  sd_bus_creds *broker = NULL;
  const char *name = NULL;
  int is = sd_bus_get_name_creds(sd_bus_message_get_bus(call), "org.usher.Broker1", SD_BUS_CREDS_UNIQUE_NAME, &broker) >= 0
    && sd_bus_creds_get_unique_name(broker, &name) >= 0 && strcmp(name, sd_bus_message_get_sender(call)) == 0;
  sd_bus_creds_unref(broker);
  return is;
}

static int reply(sd_bus_message *call, json_t *answer, int is_second_run) {
  if (json_is_string(answer))
    return sd_bus_reply_method_return(
      call, "a{sv}", 3, "handled", "b", 0, "error", "s", json_string_value(answer), "redelivered", "b", is_second_run);
  return sd_bus_reply_method_return(
    call, "a{sv}", 3, "handled", "b", 1, "value", "a{sv}", 1, "opened", "x", json_integer_value(answer), "redelivered", "b",
    is_second_run);
}

/* Deliver(a{sv} envelope) → a{sv} reply */
static int deliver(sd_bus_message *call, void *data, sd_bus_error *error) {
  if (!is_from_broker(call)) return sd_bus_error_set(error, SD_BUS_ERROR_ACCESS_DENIED, "only the broker may call this");
  json_t *request = read_value(call);
  const char *id = json_string_value(json_object_get(request, "request-id"));
  int result;
  if (!is_valid(request)) {
    result = sd_bus_error_set(error, "org.usher.Error.InvalidRequest", "request-id or urls: the key is missing");
  } else if (!is_known(request)) {
    result = sd_bus_reply_method_return(call, "a{sv}", 1, "handled", "b", 0);
  } else {
    open_journal();
    /* A repeated ID is the same request, sent again after a crash of the broker or of this program; it must not be opened twice. */
    json_t *answer = json_object_get(states, id);
    json_int_t begun = json_integer_value(json_object_get(answer, "begun"));
    if (begun >= 2) {
      result = sd_bus_error_set(error, "org.usher.Error.TargetFailed", "the application has crashed twice while it handled this request");
    } else if (!answer && !is_read && is_repeated(request)) {
      result = sd_bus_error_set(error, "org.usher.Error.TargetFailed", "the outcome is unknown: the file with the earlier answers cannot be read");
    } else {
      if (!answer || begun) {
        record(id, json_pack("{s:I}", "begun", begun + 1));
        const char *failure = open_request(request);
        answer = failure ? json_string(failure) : json_integer(json_array_size(json_object_get(request, "urls")));
        record(id, answer);
      }
      result = reply(call, answer, begun > 0);
    }
  }
  json_decref(request);
  return result;
}

/* Cancel(s request_id): requests are handled at once, so none can be cancelled. */
static int cancel(sd_bus_message *call, void *data, sd_bus_error *error) {
  if (!is_from_broker(call)) return sd_bus_error_set(error, SD_BUS_ERROR_ACCESS_DENIED, "only the broker may call this");
  return sd_bus_reply_method_return(call, NULL);
}

static const sd_bus_vtable methods[] = {
  SD_BUS_VTABLE_START(0),
  SD_BUS_METHOD("Deliver", "a{sv}", "a{sv}", deliver, SD_BUS_VTABLE_UNPRIVILEGED),
  SD_BUS_METHOD("Cancel", "s", NULL, cancel, SD_BUS_VTABLE_UNPRIVILEGED),
  SD_BUS_VTABLE_END,
};

/* Passes links to the running instance: this process becomes `usher open`, which exits when the instance has handled them. */
static void pass_on(int argc, char **argv) {
  char *call[argc + 7];
  memcpy(call, (char *[]){"usher", "open", "--wait", "handled", "--app", ID, "--"}, 7 * sizeof *call);
  memcpy(call + 7, argv + 1, argc * sizeof *call);
  execvp(call[0], call);
  perror("bus-notes: it runs already, and usher, which passes links to it, cannot be started");
}

int main(int argc, char **argv) {
  sd_bus *bus = NULL;
  int result = sd_bus_open_user(&bus);
  /* Register the object before requesting the name, because the name's owner must be able to reply. */
  if (result >= 0)
    result = sd_bus_add_object_vtable(bus, NULL, "/org/example/BusNotes", "org.usher.Application1", methods, NULL);
  if (result >= 0) result = sd_bus_request_name(bus, ID, 0);
  if (result == -EEXIST && argc > 1) pass_on(argc, argv);
  if (result < 0) {
    fprintf(stderr, "bus-notes: %s\n", result == -EEXIST ? "it runs already" : strerror(-result));
    return 1;
  }
  /* Links from a launcher that does not use D-Bus. */
  for (int i = 1; i < argc; i++) {
    json_t *request = json_pack("{s:[s]}", "urls", argv[i]);
    open_request(request);
    json_decref(request);
  }
  while (result >= 0) {
    result = sd_bus_process(bus, NULL);
    if (result == 0) result = sd_bus_wait(bus, UINT64_MAX);
  }
  return 1;
}
