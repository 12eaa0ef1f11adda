/* Notes as a GApplication in C. It prints one line of JSON for each call. */
#include "application1.h"
#include <gio/gio.h>
#include <json-glib/json-glib.h>
#include <unistd.h>

typedef struct {
  GApplication parent;
  GVariant *platform;
} Notes;
typedef GApplicationClass NotesClass;
G_DEFINE_TYPE(Notes, notes, G_TYPE_APPLICATION)

/* The platform data of the call: the activation token, and the keys that Usher adds as org.usher.*. */
static void before_emit(GApplication *application, GVariant *platform_data) {
  Notes *notes = (Notes *)application;
  g_clear_pointer(&notes->platform, g_variant_unref);
  notes->platform = g_variant_ref(platform_data);
  G_APPLICATION_CLASS(notes_parent_class)->before_emit(application, platform_data);
}

/* A link that takes two seconds, to show progress and cancellation. */
typedef struct {
  Application1Request *request;
  guint timer;
  int step;
} SlowLink;

static gboolean go_on(gpointer data) {
  SlowLink *slow = data;
  if (++slow->step < 20) {
    application1_request_progress(slow->request, slow->step, 20, "reading");
    return G_SOURCE_CONTINUE;
  }
  application1_request_reply(slow->request, g_variant_new_parsed("{'opened': <@x 1>}"));
  g_free(slow);
  return G_SOURCE_REMOVE;
}

static void stop(Application1Request *request, gpointer data) {
  SlowLink *slow = data;
  g_source_remove(slow->timer);
  g_free(slow);
  application1_request_stopped(request);
}

/* Receives a request of Usher: it is answered at once, or later, as for a slow link. */
static void deliver(Application1Request *request, gpointer application) {
  g_auto(GVariantDict) line = G_VARIANT_DICT_INIT(application1_request_envelope(request));
  g_variant_dict_insert(&line, "pid", "i", getpid());
  g_autoptr(GVariant) whole = g_variant_ref_sink(g_variant_dict_end(&line));
  g_autofree char *text = json_gvariant_serialize_data(whole, NULL);
  g_print("%s\n", text);
  const char *const *urls = application1_request_urls(request);
  for (int i = 0; urls[i]; i++) {
    if (g_str_has_suffix(urls[i], "missing")) return application1_request_fail(request, "there is no such note");
    if (g_str_has_suffix(urls[i], "slow")) {
      SlowLink *slow = g_new0(SlowLink, 1);
      slow->request = request;
      slow->timer = g_timeout_add(100, go_on, slow);
      application1_request_progress(request, 0, 20, "reading");
      return application1_request_on_cancel(request, stop, slow);
    }
  }
  g_application_activate(application);
  application1_request_reply(request, g_variant_new_parsed("{'opened': <%x>}", (gint64)g_strv_length((char **)urls)));
}

static gboolean dbus_register(GApplication *application, GDBusConnection *connection, const char *path, GError **error) {
  application1_serve(connection, path, deliver, application);
  return G_APPLICATION_CLASS(notes_parent_class)->dbus_register(application, connection, path, error);
}

/* Receives links from programs that call the application without Usher. */
static void open_links(GApplication *application, GFile **files, int count, const char *hint) {
  g_autoptr(GStrvBuilder) urls = g_strv_builder_new();
  for (int i = 0; i < count; i++) {
    g_autofree char *url = g_file_get_uri(files[i]);
    g_strv_builder_add(urls, url);
  }
  g_auto(GStrv) list = g_strv_builder_end(urls);
  g_auto(GVariantDict) line = G_VARIANT_DICT_INIT(((Notes *)application)->platform);
  g_variant_dict_insert(&line, "urls", "^as", list);
  g_variant_dict_insert(&line, "pid", "i", getpid());
  g_autoptr(GVariant) whole = g_variant_ref_sink(g_variant_dict_end(&line));
  g_autofree char *text = json_gvariant_serialize_data(whole, NULL);
  g_print("%s\n", text);
}

/* Called for a start without a link: an application with a window shows it here. */
static void activate(GApplication *application) {}

/* Called in the first process only; a second one exits when it has passed its links on. */
static void startup(GApplication *application) {
  G_APPLICATION_CLASS(notes_parent_class)->startup(application);
  /* A window would keep the application running; this one has none. */
  g_application_hold(application);
}

static void notes_class_init(NotesClass *class) {
  class->before_emit = before_emit;
  class->open = open_links;
  class->activate = activate;
  class->startup = startup;
  class->dbus_register = dbus_register;
}

static void notes_init(Notes *notes) {}

int main(int argc, char **argv) {
  g_autoptr(GApplication) application =
      g_object_new(notes_get_type(), "application-id", "org.example.GLibNotes", "flags", G_APPLICATION_HANDLES_OPEN, NULL);
  return g_application_run(application, argc, argv);
}
