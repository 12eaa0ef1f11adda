/* Notes as a GApplication in C, without any code for Usher. It prints one line of JSON for each call. */
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

static void notes_class_init(NotesClass *class) {
  class->before_emit = before_emit;
  class->open = open_links;
  class->activate = activate;
}

static void notes_init(Notes *notes) {}

int main(int argc, char **argv) {
  g_autoptr(GApplication) application =
      g_object_new(notes_get_type(), "application-id", "org.example.GLibNotes", "flags", G_APPLICATION_HANDLES_OPEN, NULL);
  /* A window would keep the application running; this one has none. */
  g_application_hold(application);
  return g_application_run(application, argc, argv);
}
