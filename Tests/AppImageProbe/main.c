// SPDX-License-Identifier: Apache-2.0
// A mock AppImage of type 2: one ELF file that carries its content and tells its program where it is.
//
// A test copies this program, sets the AppImage's mark in the header, and appends a line MARK and a shell script. The program
// runs that script with its own arguments and with APPIMAGE, its real path, as the runtime of an AppImage does. The script
// answers --appimage-extract.
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char mark[] = "\n#AppImageProbe#\n";

int main(int argc, char **argv) {
    static char path[PATH_MAX];
    if (!realpath("/proc/self/exe", path)) return 70;
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END)) return 71;
    long size = ftell(file);
    char *content = size > 0 ? malloc(size + 1) : NULL;
    if (!content) return 72;
    rewind(file);
    if (fread(content, 1, size, file) != (size_t)size) return 73;
    fclose(file);
    content[size] = 0;
    // The mark stands in this program itself as well, so the last one counts.
    char *script = NULL;
    for (long i = 0; i + (long)sizeof mark - 1 <= size; i++)
        if (!memcmp(content + i, mark, sizeof mark - 1)) script = content + i + sizeof mark - 1;
    char **arguments = calloc(argc + 4, sizeof *arguments);
    if (!script || !arguments) return 74;
    arguments[0] = "sh";
    arguments[1] = "-c";
    arguments[2] = script;
    arguments[3] = path;
    for (int i = 1; i < argc; i++) arguments[i + 3] = argv[i];
    setenv("APPIMAGE", path, 1);
    execv("/bin/sh", arguments);
    return 75;
}
