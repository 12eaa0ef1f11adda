// Notes as a Qt program: KDBusService ensures a single instance and receives the links. It prints one line of JSON for each call.
#include <KDBusService>
#include <QCoreApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTextStream>
#include <QUrl>

static void open(const QList<QUrl> &links) {
  QJsonArray urls;
  for (const QUrl &link : links) urls.append(link.toString(QUrl::FullyEncoded));
  const QJsonObject line{{"urls", urls}, {"pid", QCoreApplication::applicationPid()}};
  QTextStream(stdout) << QJsonDocument(line).toJson(QJsonDocument::Compact) << Qt::endl;
}

// A launcher that does not use D-Bus passes links as arguments; the first argument is the program.
static void openArguments(const QStringList &arguments) {
  if (arguments.size() > 1) open(QUrl::fromStringList(arguments.mid(1)));
}

int main(int argc, char **argv) {
  QCoreApplication application(argc, argv);
  // These two form the bus name, org.example.QtNotes, which is also the name of the desktop entry.
  QCoreApplication::setOrganizationDomain("example.org");
  QCoreApplication::setApplicationName("QtNotes");
  // If an instance already runs, this passes the arguments to it and exits.
  KDBusService service(KDBusService::Unique);
  QObject::connect(&service, &KDBusService::openRequested, &open);
  QObject::connect(&service, &KDBusService::activateRequested, &openArguments);
  openArguments(QCoreApplication::arguments());
  return QCoreApplication::exec();
}
