#include "application1.h"
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define BROKER "org.usher.Broker1"
#define INTERFACE "org.usher.Application1"
/* The number of remembered answers. */
#define CAPACITY 1000
/* The number of bytes above which the journal is replaced by a shorter one, and how many bytes of answers that one has. */
#define LONGEST (1 << 20)
#define KEPT (512 << 10)
/* The limits of the value of a reply, in bytes of a D-Bus message, and in arrays and dictionaries inside each other. */
#define MAXIMUM_SIZE (64 << 10)
#define MAXIMUM_DEPTH 16

typedef struct {
  GDBusConnection *connection;
  char *path;
  Application1Function deliver;
  gpointer data;
  Application1Request *current;
  GQueue waiting;
  gboolean is_handling;
  /* By request ID: "1" and "2" for how often it began, "W" for cancelled, otherwise the text of the reply. NULL before the first request. */
  GHashTable *states;
  /* Their IDs; the newest is the last. */
  GQueue order;
  /* The path of the journal, its file, -1 if it cannot be written, and the number of bytes in it. */
  char *journal_path;
  int journal;
  gsize journal_size;
  /* FALSE as long as there is a file that cannot be read: it may have the answer of a repeated request. */
  gboolean is_read;
} Server;

struct _Application1Request {
  Server *server;
  char *id;
  GVariant *envelope;
  const char **urls;
  GPtrArray *calls;
  gboolean is_redelivered, is_cancelled;
  /* The function that is called once the request is cancelled, and the source that calls it. */
  Application1Function stop;
  gpointer stop_data;
  guint stopping;
};

static const char description[] =
    "<node><interface name='" INTERFACE "'>"
    "<method name='Deliver'><arg type='a{sv}' name='envelope' direction='in'/><arg type='a{sv}' name='reply' direction='out'/></method>"
    "<method name='Cancel'><arg type='s' name='request_id' direction='in'/></method>"
    "<signal name='Progress'><arg type='s' name='request_id'/><arg type='a{sv}' name='progress'/></signal>"
    "</interface></node>";

/* The journal: the requests that began and were answered, so that a crash does not repeat them. Without a file, they are remembered only
 * while the application runs. */

static const char *state_of(Server *server, GList *id) { return g_hash_table_lookup(server->states, id->data); }

/* Returns whether a state is that of a request that has no answer. Such a request is never forgotten. */
static GHashTable *new_states(void) { return g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free); }

static gboolean is_begun(const char *state) { return strcmp(state, "1") == 0 || strcmp(state, "2") == 0; }

static void keep(Server *server, const char *id, const char *state) {
  if (g_hash_table_replace(server->states, g_strdup(id), g_strdup(state))) {
    g_queue_push_tail(&server->order, g_strdup(id));
  } else {
    GList *item = server->order.tail;
    while (strcmp(item->data, id) != 0) item = item->prev;
    g_queue_unlink(&server->order, item);
    g_queue_push_tail_link(&server->order, item);
  }
  if (server->order.length <= CAPACITY) return;
  GList *oldest = server->order.head;
  while (oldest && is_begun(state_of(server, oldest))) oldest = oldest->next;
  if (!oldest) return;
  g_hash_table_remove(server->states, oldest->data);
  g_free(oldest->data);
  g_queue_delete_link(&server->order, oldest);
}

static void close_journal(Server *server) {
  if (server->journal >= 0) close(server->journal);
  server->journal = -1;
}

/* Replaces the file by one with all requests that have no answer, and the newest answers. Whenever the application crashes, the file is
 * complete. */
static void rewrite_journal(Server *server) {
  if (!server->is_read) return;
  /* What is older than this has no room. */
  GList *oldest = NULL;
  gsize size = 0;
  for (GList *id = server->order.tail; id; id = id->prev) {
    size += strlen(id->data) + strlen(state_of(server, id)) + 2;
    if (size > KEPT) break;
    oldest = id;
  }
  g_autoptr(GString) text = g_string_new(NULL);
  gboolean has_room = FALSE;
  for (GList *id = server->order.head; id; id = id->next) {
    has_room = has_room || id == oldest;
    if (has_room || is_begun(state_of(server, id)))
      g_string_append_printf(text, "%s %s\n", (char *)id->data, state_of(server, id));
  }
  GFileSetContentsFlags flags = G_FILE_SET_CONTENTS_CONSISTENT | G_FILE_SET_CONTENTS_DURABLE;
  if (g_file_set_contents_full(server->journal_path, text->str, text->len, flags, 0600, NULL)) {
    close_journal(server);
    server->journal = open(server->journal_path, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW);
    server->journal_size = text->len;
  } else {
    /* Until it is tried again, the old file has the requests. */
    server->journal_size = KEPT;
  }
}

static void record(Server *server, const char *id, const char *state) {
  keep(server, id, state);
  g_autofree char *line = g_strdup_printf("%s %s\n", id, state);
  ssize_t length = strlen(line);
  if (server->journal >= 0 && write(server->journal, line, length) == length)
    server->journal_size += length;
  else
    close_journal(server); /* It may end with a part of the line. */
  if (server->journal < 0 || server->journal_size > LONGEST) rewrite_journal(server);
}

static void find_journal(Server *server) {
  server->states = new_states();
  server->journal = -1;
  const char *sandbox = g_getenv("FLATPAK_ID");
  g_autofree char *directory = sandbox ? g_build_filename(g_get_user_runtime_dir(), "app", sandbox, NULL)
                                       : g_build_filename(g_get_user_runtime_dir(), "usher", NULL);
  g_mkdir_with_parents(directory, 0700);
  g_autofree char *name = g_strdelimit(g_strconcat(server->path + 1, ".answers", NULL), "/", '.');
  server->journal_path = g_build_filename(directory, name, NULL);
}

/* Reads and replaces the file, unless this was done before. A file that cannot be read is not replaced. */
static void open_journal(Server *server) {
  /* Only the instance that owns the bus name receives requests, so that it alone opens the journal. */
  if (!server->states) find_journal(server);
  if (server->is_read) return;
  g_autofree char *text = NULL;
  g_autoptr(GError) error = NULL;
  if (g_file_get_contents(server->journal_path, &text, NULL, &error)) {
    /* Answers that were given while the file could not be read are the newest ones. */
    g_autoptr(GHashTable) newest = g_steal_pointer(&server->states);
    GQueue order = server->order;
    server->states = new_states();
    g_queue_init(&server->order);
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    /* The text behind the last newline is what a crash has left of a line. */
    for (int i = 0; lines[i] && lines[i + 1]; i++) {
      char *space = strchr(lines[i], ' ');
      if (!space) continue;
      *space = 0;
      keep(server, lines[i], space + 1);
    }
    for (GList *id = order.head; id; id = id->next) keep(server, id->data, g_hash_table_lookup(newest, id->data));
    g_queue_clear_full(&order, g_free);
  } else if (!g_error_matches(error, G_FILE_ERROR, G_FILE_ERROR_NOENT) && !g_error_matches(error, G_FILE_ERROR, G_FILE_ERROR_NOTDIR)) {
    return;
  }
  server->is_read = TRUE;
  rewrite_journal(server);
}

/* Answers */

static void send_state(GDBusMethodInvocation *call, const char *state) {
  if (strcmp(state, "W") == 0)
    return g_dbus_method_invocation_return_dbus_error(call, "org.usher.Error.Cancelled", "the request was cancelled");
  if (strcmp(state, "2") == 0)
    return g_dbus_method_invocation_return_dbus_error(
        call, "org.usher.Error.TargetFailed", "the application has crashed twice while it handled this request");
  GVariant *reply = g_variant_parse(G_VARIANT_TYPE_VARDICT, state, NULL, NULL, NULL);
  g_dbus_method_invocation_return_value(call, g_variant_new_tuple(&reply, 1));
}

static gboolean handle_next(gpointer data);

/* The application stays alive while it has requests, also without a window. */

static void hold(void) {
  if (g_application_get_default()) g_application_hold(g_application_get_default());
}

static void release(void) {
  if (g_application_get_default()) g_application_release(g_application_get_default());
}

static gboolean release_once(gpointer data) {
  release();
  return G_SOURCE_REMOVE;
}

static void on_startup(GApplication *application, gpointer data) {
  /* An application that has no window yet would exit before it receives the request for which it was started. */
  hold();
  g_timeout_add_seconds(10, release_once, NULL);
}

static void request_free(Application1Request *request) {
  if (request->stopping) g_source_remove(request->stopping);
  g_free(request->id);
  g_variant_unref(request->envelope);
  g_free(request->urls);
  g_ptr_array_unref(request->calls);
  g_free(request);
}

static void finish(Application1Request *request, const char *state) {
  Server *server = request->server;
  record(server, request->id, state);
  for (guint i = 0; i < request->calls->len; i++) send_state(request->calls->pdata[i], state);
  request_free(request);
  server->current = NULL;
  /* The next request begins when the function that answered this one has returned. */
  if (!server->is_handling) g_idle_add_full(G_PRIORITY_DEFAULT, handle_next, server, NULL);
  release();
}

static void finish_with(Application1Request *request, GVariantDict *reply) {
  if (g_strcmp0(g_hash_table_lookup(request->server->states, request->id), "2") == 0)
    g_variant_dict_insert(reply, "redelivered", "b", TRUE);
  g_autoptr(GVariant) whole = g_variant_ref_sink(g_variant_dict_end(reply));
  g_autofree char *text = g_variant_print(whole, TRUE);
  finish(request, text);
}

static gsize align(gsize position, gsize boundary) { return (position + boundary - 1) / boundary * boundary; }

/* Returns a value as a property list: with integers of 64 bits, and arrays and dictionaries of variants. It begins as a variant at `end` in a
 * D-Bus message, and `end` is moved behind it. Returns NULL, and sets `error`, if the value is no property list. */
static GVariant *property_list(GVariant *given, int depth, gsize *end, const char **error) {
  g_autoptr(GVariant) value = g_variant_ref(given);
  while (g_variant_is_of_type(value, G_VARIANT_TYPE_VARIANT)) {
    GVariant *inner = g_variant_get_variant(value);
    g_variant_unref(value);
    value = inner;
  }
  const char *type = g_variant_get_type_string(value);
  gint64 number = 0;
  switch (*type) {
  case 's': case 'o': case 'g': {
    const char *text = g_variant_get_string(value, NULL);
    *end = align(*end + 3, 4) + 4 + strlen(text) + 1;
    return g_variant_ref_sink(g_variant_new_string(text));
  }
  case 'b':
    *end = align(*end + 3, 4) + 4;
    return g_steal_pointer(&value);
  case 'd':
    *end = align(*end + 3, 8) + 8;
    if (ABS(g_variant_get_double(value)) <= G_MAXDOUBLE) return g_steal_pointer(&value);
    *error = "a number is not finite";
    return NULL;
  case 'y': number = g_variant_get_byte(value); break;
  case 'n': number = g_variant_get_int16(value); break;
  case 'q': number = g_variant_get_uint16(value); break;
  case 'i': number = g_variant_get_int32(value); break;
  case 'u': number = g_variant_get_uint32(value); break;
  case 'x': number = g_variant_get_int64(value); break;
  case 't':
    if (g_variant_get_uint64(value) <= G_MAXINT64) {
      number = g_variant_get_uint64(value);
      break;
    }
    *error = "an integer is greater than 2^63 - 1";
    return NULL;
  case 'a': {
    gboolean is_dictionary = g_str_has_prefix(type, "a{s");
    if (strcmp(type, "ay") == 0) {
      *end = align(*end + 4, 4) + 4 + g_variant_n_children(value);
      return g_steal_pointer(&value);
    }
    if (type[1] == '{' && !is_dictionary) {
      *error = "the keys of a dictionary are not strings";
      return NULL;
    }
    if (depth == 0) {
      *error = "it is nested more than 16 deep";
      return NULL;
    }
    *end = is_dictionary ? align(align(*end + 7, 4) + 4, 8) : align(*end + 4, 4) + 4;
    g_auto(GVariantBuilder) builder = G_VARIANT_BUILDER_INIT(is_dictionary ? G_VARIANT_TYPE_VARDICT : G_VARIANT_TYPE("av"));
    for (gsize i = 0; i < g_variant_n_children(value); i++) {
      g_autoptr(GVariant) child = g_variant_get_child_value(value, i);
      g_autoptr(GVariant) content = is_dictionary ? g_variant_get_child_value(child, 1) : g_variant_ref(child);
      const char *key = NULL;
      if (is_dictionary) {
        g_variant_get_child(child, 0, "&s", &key);
        *end = align(*end, 8) + 4 + strlen(key) + 1;
        if (strcmp(key, "$data") == 0) *error = "a dictionary has the key $data";
      }
      g_autoptr(GVariant) element = *error ? NULL : property_list(content, depth - 1, end, error);
      if (!element) return NULL;
      if (is_dictionary)
        g_variant_builder_add(&builder, "{sv}", key, element);
      else
        g_variant_builder_add(&builder, "v", element);
    }
    return g_variant_ref_sink(g_variant_builder_end(&builder));
  }
  default:
    *error = "it contains a value that is no string, number, Boolean, array or dictionary";
    return NULL;
  }
  *end = align(*end + 3, 8) + 8;
  return g_variant_ref_sink(g_variant_new_int64(number));
}

void application1_request_reply(Application1Request *request, GVariant *value) {
  g_autoptr(GVariant) owned = value ? g_variant_ref_sink(value) : NULL;
  gsize size = 0;
  const char *error = NULL;
  g_autoptr(GVariant) list = owned ? property_list(owned, MAXIMUM_DEPTH, &size, &error) : NULL;
  if (!error && size > MAXIMUM_SIZE) error = "it has more than 64 KiB";
  if (error) {
    g_autofree char *sentence = g_strdup_printf("the answer of the application cannot be sent: %s", error);
    /* The caller receives it, too; only the developer of the application can correct it. */
    g_printerr("%s\n", sentence);
    return application1_request_fail(request, sentence);
  }
  GVariantDict reply;
  g_variant_dict_init(&reply, NULL);
  g_variant_dict_insert(&reply, "handled", "b", TRUE);
  if (list) g_variant_dict_insert_value(&reply, "value", list);
  finish_with(request, &reply);
}

void application1_request_fail(Application1Request *request, const char *sentence) {
  GVariantDict reply;
  g_variant_dict_init(&reply, NULL);
  g_autofree char *valid = g_utf8_make_valid(*sentence ? sentence : "the application failed", -1);
  g_variant_dict_insert(&reply, "handled", "b", FALSE);
  g_variant_dict_insert(&reply, "error", "s", valid);
  finish_with(request, &reply);
}

void application1_request_decline(Application1Request *request) {
  GVariantDict reply;
  g_variant_dict_init(&reply, NULL);
  g_variant_dict_insert(&reply, "handled", "b", FALSE);
  finish_with(request, &reply);
}

void application1_request_stopped(Application1Request *request) { finish(request, "W"); }

void application1_request_progress(Application1Request *request, gint64 completed, gint64 total, const char *message) {
  GVariantDict progress;
  g_variant_dict_init(&progress, NULL);
  if (completed >= 0) g_variant_dict_insert(&progress, "completed", "t", (guint64)completed);
  if (total >= 0) g_variant_dict_insert(&progress, "total", "t", (guint64)total);
  if (message) g_variant_dict_insert(&progress, "message", "s", message);
  g_dbus_connection_emit_signal(
      request->server->connection, BROKER, request->server->path, INTERFACE, "Progress",
      g_variant_new("(s@a{sv})", request->id, g_variant_dict_end(&progress)), NULL);
}

static gboolean call_stop(gpointer data) {
  Application1Request *request = data;
  request->stopping = 0;
  Application1Function stop = g_steal_pointer(&request->stop);
  /* `stop` may free the request. The application may have removed it in the meantime. */
  if (stop)
    stop(request, request->stop_data);
  return G_SOURCE_REMOVE;
}

/* Calls `stop` in the main loop if the request is cancelled. The reply to `Cancel` is sent before that: if the answer of the handler preceded it,
 * Usher would conclude that the request had no effect. */
static void stop_if_cancelled(Application1Request *request) {
  if (request->is_cancelled && request->stop && !request->stopping)
    request->stopping = g_idle_add_full(G_PRIORITY_DEFAULT, call_stop, request, NULL);
}

void application1_request_on_cancel(Application1Request *request, Application1Function stop, gpointer data) {
  request->stop = stop;
  request->stop_data = data;
  /* The request may have been cancelled before. */
  stop_if_cancelled(request);
}

gboolean application1_request_is_redelivered(Application1Request *request) { return request->is_redelivered; }

const char *const *application1_request_urls(Application1Request *request) { return request->urls; }

GVariant *application1_request_envelope(Application1Request *request) { return request->envelope; }

/* Calls `deliver` with the activation token of the request in the toolkit, as for a call of org.freedesktop.Application. */
static void deliver_activating(Application1Request *request) {
  Server *server = request->server;
  GApplication *application = g_application_get_default();
  const char *token = NULL;
  if (!application || !g_variant_lookup(request->envelope, "activation-token", "&s", &token))
    return server->deliver(request, server->data);
  const char *startup = token;
  g_variant_lookup(request->envelope, "startup-id", "&s", &startup);
  GVariantDict dictionary;
  g_variant_dict_init(&dictionary, NULL);
  g_variant_dict_insert(&dictionary, "activation-token", "s", token);
  g_variant_dict_insert(&dictionary, "desktop-startup-id", "s", startup);
  g_autoptr(GVariant) data = g_variant_ref_sink(g_variant_dict_end(&dictionary));
  /* GTK implements these two virtual functions of GApplication. `deliver` may free the request. */
  G_APPLICATION_GET_CLASS(application)->before_emit(application, data);
  server->deliver(request, server->data);
  G_APPLICATION_GET_CLASS(application)->after_emit(application, data);
}

/* The queue: one request at a time, in the order of the calls. */

static gboolean handle_next(gpointer data) {
  Server *server = data;
  /* `deliver` may answer its request, or run a main loop. */
  if (server->is_handling) return G_SOURCE_REMOVE;
  server->is_handling = TRUE;
  while (!server->current && (server->current = g_queue_pop_head(&server->waiting))) {
    Application1Request *request = server->current;
    gboolean has_begun = g_hash_table_contains(server->states, request->id);
    record(server, request->id, has_begun ? "2" : "1");
    /* Usher knows only that the application had the request when it exited; the journal knows whether it had begun. */
    request->is_redelivered = has_begun;
    if (server->journal < 0 && !has_begun) g_variant_lookup(request->envelope, "redelivered", "b", &request->is_redelivered);
    const char *reason = "url";
    g_variant_lookup(request->envelope, "reason", "&s", &reason);
    if (strcmp(reason, "url") == 0 || strcmp(reason, "activate") == 0)
      deliver_activating(request);
    else
      application1_request_decline(request);
  }
  server->is_handling = FALSE;
  return G_SOURCE_REMOVE;
}

static Application1Request *find(Server *server, const char *id) {
  if (server->current && strcmp(server->current->id, id) == 0) return server->current;
  for (GList *item = server->waiting.head; item; item = item->next)
    if (strcmp(((Application1Request *)item->data)->id, id) == 0) return item->data;
  return NULL;
}

static gboolean is_true(GVariant *envelope, const char *key) {
  gboolean value = FALSE;
  g_variant_lookup(envelope, key, "b", &value);
  return value;
}

static void deliver(Server *server, GVariant *envelope, GDBusMethodInvocation *call) {
  const char *id = NULL, *reason = "url";
  g_autofree const char **urls = NULL;
  g_variant_lookup(envelope, "reason", "&s", &reason);
  g_variant_lookup(envelope, "urls", "^a&s", &urls);
  if (!g_variant_lookup(envelope, "request-id", "&s", &id) || !*id)
    return g_dbus_method_invocation_return_dbus_error(call, "org.usher.Error.InvalidRequest", "request-id: the key is missing");
  if ((!urls || !*urls) && strcmp(reason, "url") == 0)
    return g_dbus_method_invocation_return_dbus_error(call, "org.usher.Error.InvalidRequest", "urls: the key is missing");
  open_journal(server);
  /* A request that is waiting or running is not handled again: all its calls get its answer. */
  Application1Request *request = find(server, id);
  if (request) return g_ptr_array_add(request->calls, call);
  const char *state = g_hash_table_lookup(server->states, id);
  if (state && strcmp(state, "1") != 0) return send_state(call, state);
  if (!server->is_read && (is_true(envelope, "redelivered") || is_true(envelope, "repeated")))
    return g_dbus_method_invocation_return_dbus_error(
        call, "org.usher.Error.TargetFailed", "the outcome is unknown: the file with the earlier answers cannot be read");
  request = g_new0(Application1Request, 1);
  request->server = server;
  request->id = g_strdup(id);
  request->envelope = g_variant_ref(envelope);
  request->urls = urls ? g_steal_pointer(&urls) : g_new0(const char *, 1);
  request->calls = g_ptr_array_new();
  g_ptr_array_add(request->calls, call);
  g_queue_push_tail(&server->waiting, request);
  hold();
  handle_next(server);
}

static void cancel(Server *server, const char *id) {
  Application1Request *request = find(server, id);
  if (!request) return;
  if (request == server->current) {
    request->is_cancelled = TRUE;
    return stop_if_cancelled(request);
  }
  /* A repetition of the request gets this answer, too. */
  record(server, request->id, "W");
  /* Before the reply to `Cancel`, from which Usher concludes that the request was not handled. */
  for (guint i = 0; i < request->calls->len; i++) send_state(request->calls->pdata[i], "W");
  g_queue_remove(&server->waiting, request);
  request_free(request);
  release();
}

static gboolean is_broker(GDBusConnection *connection, const char *sender) {
  g_autoptr(GVariant) owner = g_dbus_connection_call_sync(
      connection, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "GetNameOwner",
      g_variant_new("(s)", BROKER), G_VARIANT_TYPE("(s)"), G_DBUS_CALL_FLAGS_NONE, -1, NULL, NULL);
  const char *name = "";
  if (owner) g_variant_get(owner, "(&s)", &name);
  return strcmp(name, sender) == 0;
}

static void on_call(
    GDBusConnection *connection, const char *sender, const char *path, const char *interface, const char *method,
    GVariant *parameters, GDBusMethodInvocation *call, gpointer data) {
  if (!is_broker(connection, sender)) {
    g_dbus_method_invocation_return_dbus_error(call, "org.freedesktop.DBus.Error.AccessDenied", "only Usher may call this");
  } else if (strcmp(method, "Deliver") == 0) {
    g_autoptr(GVariant) envelope = g_variant_get_child_value(parameters, 0);
    deliver(data, envelope, call);
  } else {
    const char *id;
    g_variant_get(parameters, "(&s)", &id);
    cancel(data, id);
    g_dbus_method_invocation_return_value(call, NULL);
  }
}

void application1_serve(GDBusConnection *connection, const char *path, Application1Function deliver, gpointer data) {
  static const GDBusInterfaceVTable methods = {.method_call = on_call};
  /* It is never released, because the application serves the interface until it exits. */
  Server *server = g_new0(Server, 1);
  server->connection = connection;
  server->path = g_strdup(path);
  server->deliver = deliver;
  server->data = data;
  g_autoptr(GDBusNodeInfo) node = g_dbus_node_info_new_for_xml(description, NULL);
  g_dbus_connection_register_object(connection, path, node->interfaces[0], &methods, server, NULL, NULL);
  if (g_application_get_default()) g_signal_connect(g_application_get_default(), "startup", G_CALLBACK(on_startup), NULL);
}
