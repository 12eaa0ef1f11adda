/* Opens links over D-Bus, waits until the application has handled them, and prints the receipt. ^C cancels the request; a second ^C, or a
 * broker that does not respond for ten seconds, ends the wait. */
#include <gio/gio.h>
#include <glib-unix.h>
#include <locale.h>

#define NAME "org.usher.Broker1"
#define PATH "/org/usher/Broker1"

/* A call of Open, which is repeated under the same ID if the broker exits. */
typedef struct {
  GDBusConnection *bus;
  const char *const *urls;
  /* By this ID the broker and the application recognize a repeated call. */
  char *id;
  /* The token and the startup ID with which this program was started; NULL if there are none. */
  char *token, *startup;
  gboolean may_have_arrived, is_cancelled;
  int calls_left, status;
  GMainLoop *loop;
} OpenRequest;

static void send_call(OpenRequest *request);
static void send_cancel(OpenRequest *request);

static void finish(OpenRequest *request, const char *name, const char *message, GVariant *receipt) {
  if (message) g_printerr("%s: %s\n", name, message);
  /* Errors are recognized by their names; the message is for the user. */
  request->status = !message ? 0
    : g_strcmp0(name, "org.usher.Error.NoHandler") == 0 ? 4
    : g_strcmp0(name, "org.usher.Error.Denied") == 0 ? 7
    : g_strcmp0(name, "org.usher.Error.Cancelled") == 0 ? 9 : 1;
  /* The outcome of each link is in the receipt, also behind an error. */
  g_autofree char *text = receipt ? g_variant_print(receipt, FALSE) : g_strdup("{}");
  g_print("%s\n", text);
  g_main_loop_quit(request->loop);
}

static void on_reply(GObject *bus, GAsyncResult *result, gpointer data) {
  OpenRequest *request = data;
  g_autoptr(GError) error = NULL;
  g_autoptr(GDBusMessage) reply = g_dbus_connection_send_message_with_reply_finish(G_DBUS_CONNECTION(bus), result, &error);
  /* The connection to the bus is closed. */
  if (!reply) return finish(request, "error", error->message, NULL);
  GVariant *body = g_dbus_message_get_body(reply);
  if (g_dbus_message_get_message_type(reply) != G_DBUS_MESSAGE_TYPE_ERROR) {
    g_autoptr(GVariant) receipt = g_variant_get_child_value(body, 0);
    return finish(request, NULL, NULL, receipt);
  }
  const char *name = g_dbus_message_get_error_name(reply), *message = "";
  /* The broker has exited; the bus starts it again. */
  if (g_strcmp0(name, "org.freedesktop.DBus.Error.NoReply") == 0 && request->calls_left > 0) return send_call(request);
  g_autoptr(GVariant) receipt = NULL;
  if (body && g_variant_is_of_type(body, G_VARIANT_TYPE("(sa{sv})"))) {
    g_variant_get(body, "(&s@a{sv})", &message, &receipt);
  } else if (body && g_variant_is_of_type(body, G_VARIANT_TYPE("(s)"))) {
    g_variant_get(body, "(&s)", &message);
  }
  finish(request, name, message, receipt);
}

static void send_call(OpenRequest *request) {
  request->calls_left--;
  GVariantBuilder options, annotation;
  g_variant_builder_init(&annotation, G_VARIANT_TYPE_VARDICT);
  g_variant_builder_add(&annotation, "{sv}", "page", g_variant_new_int64(3));
  g_variant_builder_init(&options, G_VARIANT_TYPE_VARDICT);
  g_variant_builder_add(&options, "{sv}", "annotation", g_variant_builder_end(&annotation));
  g_variant_builder_add(&options, "{sv}", "request-id", g_variant_new_string(request->id));
  g_variant_builder_add(&options, "{sv}", "wait", g_variant_new_string("handled"));
  g_variant_builder_add(&options, "{sv}", "timeout", g_variant_new_uint64(60 * G_TIME_SPAN_SECOND));
  if (request->token) g_variant_builder_add(&options, "{sv}", "activation-token", g_variant_new_string(request->token));
  if (request->startup && g_strcmp0(request->startup, request->token) != 0)
    g_variant_builder_add(&options, "{sv}", "startup-id", g_variant_new_string(request->startup));
  /* The request may have arrived, so that this call only asks for its outcome. */
  if (request->may_have_arrived) g_variant_builder_add(&options, "{sv}", "reattach", g_variant_new_boolean(TRUE));
  g_autoptr(GDBusMessage) call = g_dbus_message_new_method_call(NAME, PATH, NAME, "Open");
  g_dbus_message_set_body(call, g_variant_new("(^asa{sv})", request->urls, &options));
  /* g_dbus_connection_call would return only the name and the message of an error, without the receipt behind them. The broker has a
   * time limit of its own, the option "timeout". */
  g_dbus_connection_send_message_with_reply(
    request->bus, call, G_DBUS_SEND_MESSAGE_FLAGS_NONE, G_MAXINT, NULL, NULL, on_reply, request);
  /* The next broker does not know of the cancellation. */
  if (request->is_cancelled) send_cancel(request);
}

static void on_signal(GDBusConnection *bus, const char *sender, const char *path, const char *interface, const char *member,
                      GVariant *parameters, gpointer data) {
  OpenRequest *request = data;
  const char *id, *text;
  g_autoptr(GVariant) progress = NULL;
  if (g_strcmp0(member, "Progress") == 0 && g_variant_is_of_type(parameters, G_VARIANT_TYPE("(sss)"))) {
    g_variant_get(parameters, "(&s&s&s)", &id, &text, NULL);
    if (g_strcmp0(id, request->id) == 0 && g_strcmp0(text, "unknown") == 0) request->may_have_arrived = TRUE;
  } else if (g_strcmp0(member, "Handling") == 0 && g_variant_is_of_type(parameters, G_VARIANT_TYPE("(ssa{sv})"))) {
    g_variant_get(parameters, "(&s&s@a{sv})", &id, &text, &progress);
    g_autofree char *report = g_variant_print(progress, FALSE);
    if (g_strcmp0(id, request->id) == 0) g_printerr("%s: %s\n", text, report);
  }
}

static void on_cancel_reply(GObject *bus, GAsyncResult *result, gpointer data) {
  g_autoptr(GError) error = NULL;
  g_autoptr(GVariant) reply = g_dbus_connection_call_finish(G_DBUS_CONNECTION(bus), result, &error);
  if (g_error_matches(error, G_IO_ERROR, G_IO_ERROR_TIMED_OUT) || g_error_matches(error, G_DBUS_ERROR, G_DBUS_ERROR_TIMEOUT))
    finish(data, "org.usher.Error.Cancelled", "the broker does not respond, so that the outcome is unknown", NULL);
}

static void send_cancel(OpenRequest *request) {
  g_dbus_connection_call(request->bus, NAME, PATH, NAME, "Cancel", g_variant_new("(s)", request->id), NULL, G_DBUS_CALL_FLAGS_NONE,
                         10 * 1000, NULL, on_cancel_reply, request);
}

/* Cancels the request; the pending call ends, with the error Cancelled unless it was handled before. */
static gboolean on_interrupt(gpointer data) {
  OpenRequest *request = data;
  if (request->is_cancelled) {
    finish(request, "org.usher.Error.Cancelled", "the wait was ended, so that the outcome is unknown", NULL);
  } else {
    request->is_cancelled = TRUE;
    g_printerr("the request is cancelled; press ^C again to exit without its outcome\n");
    send_cancel(request);
  }
  return G_SOURCE_CONTINUE;
}

/* Returns the value of a variable, which the programs that this one starts must not use again; NULL if there is none. */
static char *take_variable(const char *name) {
  const char *value = g_getenv(name);
  char *text = value && *value && g_utf8_validate(value, -1, NULL) ? g_strdup(value) : NULL;
  g_unsetenv(name);
  return text;
}

int main(int argc, char **argv) {
  /* For messages that are not ASCII. */
  setlocale(LC_ALL, "");
  g_autoptr(GError) error = NULL;
  OpenRequest request = {.urls = (const char *const *)argv + 1, .calls_left = 5};
  /* The token allows one application to come to the front, and shows that the user clicked. */
  request.startup = take_variable("DESKTOP_STARTUP_ID");
  request.token = take_variable("XDG_ACTIVATION_TOKEN");
  if (!request.token) request.token = g_strdup(request.startup);
  request.bus = g_bus_get_sync(G_BUS_TYPE_SESSION, NULL, &error);
  if (!request.bus) {
    g_printerr("%s\n", error->message);
    return 1;
  }
  request.id = g_uuid_string_random();
  request.loop = g_main_loop_new(NULL, FALSE);
  g_dbus_connection_signal_subscribe(request.bus, NAME, NAME, NULL, PATH, NULL, G_DBUS_SIGNAL_FLAGS_NONE, on_signal, &request, NULL);
  g_unix_signal_add(SIGINT, on_interrupt, &request);
  send_call(&request);
  g_main_loop_run(request.loop);
  return request.status;
}
