/* Serves org.usher.Application1 in an application on GLib. Copy application1.h and application1.c unchanged. */
#pragma once
#include <gio/gio.h>

/* A request. It is valid until it is answered, once, by one of the four functions below, in the main loop: at once or later. The answer is sent
 * at once, and the next request begins when the main loop runs again. */
typedef struct _Application1Request Application1Request;
typedef void (*Application1Function)(Application1Request *request, gpointer data);

/* Serves the interface at an object path. Call it before the application has its bus name, in `dbus_register`. `deliver` gets one
 * request at a time, in order, with the reason url or activate; requests with other reasons are declined. Until it returns, GTK uses
 * the activation token of the request, so that a window that is presented comes to the front. The GApplication stays alive for ten
 * seconds after its start, and until all requests are answered, also without a window; `g_application_quit` ends it at once. */
void application1_serve(GDBusConnection *connection, const char *path, Application1Function deliver, gpointer data);

/* Returns the URLs; the list is empty for `activate`. It belongs to the request. */
const char *const *application1_request_urls(Application1Request *request);
/* Returns the whole envelope, an a{sv}, which belongs to the request. */
GVariant *application1_request_envelope(Application1Request *request);
/* Returns whether `deliver` was called for this request before and the application crashed then, so that a part of the effect may exist. If the
 * journal cannot be written, it is also TRUE for a request that only waited when the application exited. */
gboolean application1_request_is_redelivered(Application1Request *request);

/* Answers that the request is handled, with a value for the caller, or NULL. Takes a floating reference. The value is a property list: strings,
 * integers, finite reals, Booleans, bytes, arrays, and dictionaries with strings as keys (other than $data), nested at most 16 deep and at most
 * 64 KiB as a D-Bus message. Any other value is an error of the application, which the caller receives, and which is printed. */
void application1_request_reply(Application1Request *request, GVariant *value);
/* Answers that the application failed, with a sentence for the user. */
void application1_request_fail(Application1Request *request, const char *sentence);
/* Answers that the request is not for this application. */
void application1_request_decline(Application1Request *request);
/* Answers that the application has stopped to handle the request, because its caller cancelled it. */
void application1_request_stopped(Application1Request *request);

/* Reports how far the application is; negative numbers and NULL are left out. */
void application1_request_progress(Application1Request *request, gint64 completed, gint64 total, const char *message);
/* Sets the function that is called in the main loop, once, if the caller cancels the request while it is handled, or has cancelled it before
 * this call. The caller has its receipt then, with the outcome `unknown`; the answer appears in the history. */
void application1_request_on_cancel(Application1Request *request, Application1Function stop, gpointer data);
