// Notes as a Qt program: KDBusService keeps one instance and takes the links. It prints one line of JSON for each call.
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

// A launcher that knows nothing of the bus gives them as arguments; the first is the program.
static void openArguments(const QStringList &arguments) {
  if (arguments.size() > 1) open(QUrl::fromStringList(arguments.mid(1)));
}

int main(int argc, char **argv) {
  QCoreApplication application(argc, argv);
  // These two make the name on the bus, org.example.QtNotes, which is the name of the desktop entry, too.
  QCoreApplication::setOrganizationDomain("example.org");
  QCoreApplication::setApplicationName("QtNotes");
  // Where it runs already, this hands the arguments over to that one, and ends.
  KDBusService service(KDBusService::Unique);
  QObject::connect(&service, &KDBusService::openRequested, &open);
  QObject::connect(&service, &KDBusService::activateRequested, &openArguments);
  openArguments(QCoreApplication::arguments());
  return QCoreApplication::exec();
}
