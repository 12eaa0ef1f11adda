// SPDX-License-Identifier: Apache-2.0
/* A server with application1.c, whose replies are what the URL asks for. */
#include "application1.h"
#include <glib-unix.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int count;

static void stop(Application1Request *request, gpointer data) { application1_request_stopped(request); }

static gboolean register_stop(gpointer request) {
  application1_request_on_cancel(request, stop, NULL);
  return G_SOURCE_REMOVE;
}

static void deliver(Application1Request *request, gpointer data) {
  count++;
  const char *name = strchr(application1_request_urls(request)[0], ':') + 1, *dash = strchr(name, '-');
  int number = dash ? atoi(dash + 1) : 0;
  g_autofree char *own = g_strdup_printf("%d.%d.", getpid(), count);
  GVariant *value = NULL;
  if (g_str_equal(name, "crash") || (g_str_equal(name, "crashed") && !application1_request_is_redelivered(request))) {
    kill(getpid(), SIGKILL);
  } else if (g_str_equal(name, "crashed") || g_str_equal(name, "redelivered")) {
    value = g_variant_new_boolean(application1_request_is_redelivered(request));
  } else if (g_str_equal(name, "stop")) {
    application1_request_on_cancel(request, stop, NULL);
    return application1_request_progress(request, 0, 1, "waiting");
  } else if (g_str_equal(name, "late")) {
    g_unix_signal_add(SIGUSR1, register_stop, request);
    return application1_request_progress(request, 0, 1, "waiting");
  } else if (g_str_equal(name, "nan")) {
    value = g_variant_new_double(__builtin_nan(""));
  } else if (g_str_equal(name, "integer")) {
    value = g_variant_new_uint64(1ull << 63);
  } else if (g_str_equal(name, "type")) {
    value = g_variant_new("(i)", 1);
  } else if (g_str_equal(name, "key")) {
    value = g_variant_new_parsed("{'$data': <1>}");
  } else if (g_str_has_prefix(name, "deep-")) {
    value = g_variant_new_int64(1);
    while (number--) {
      value = g_variant_new_variant(value);
      value = g_variant_new_array(G_VARIANT_TYPE_VARIANT, &value, 1);
    }
  } else if (g_str_has_prefix(name, "size-")) {
    g_autofree char *filler = g_strnfill(number, 'x');
    g_autofree char *text = g_strconcat(own, filler, NULL);
    text[number] = 0;
    value = g_variant_new_string(text);
  } else {
    value = g_variant_new_string(own);
  }
  GVariantDict dictionary;
  g_variant_dict_init(&dictionary, NULL);
  g_variant_dict_insert_value(&dictionary, "text", value);
  application1_request_reply(request, g_variant_dict_end(&dictionary));
}

int main(void) {
  GDBusConnection *bus = g_bus_get_sync(G_BUS_TYPE_SESSION, NULL, NULL);
  application1_serve(bus, "/org/example/Checked", deliver, NULL);
  g_bus_own_name_on_connection(bus, "org.example.Checked", G_BUS_NAME_OWNER_FLAGS_NONE, NULL, NULL, NULL, NULL);
  g_main_loop_run(g_main_loop_new(NULL, FALSE));
}
