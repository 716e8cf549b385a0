#include "node.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "system.h"

/* Where `make install` and CMake put the core. */
#ifndef ASG_BUNDLE_PATH
#define ASG_BUNDLE_PATH "/usr/local/share/agentstategraph/asg-rpc.mjs"
#endif

static const char driver[] = "/node_modules/@photostructure/sqlite";

static bool at_least(const int version[3], int major, int minor, int patch) {
  const int least[] = {major, minor, patch};
  for (int n = 0; n < 3; n++)
    if (version[n] != least[n]) return version[n] > least[n];
  return true;
}

bool node_is_accepted(const char *told, bool has_driver) {
  int version[3];
  if (sscanf(told, "v%9d.%9d.%9d", &version[0], &version[1], &version[2]) != 3) return false;
  if (version[0] > 24 || (version[0] == 24 && at_least(version, 24, 15, 0))) return true;
  if (version[0] == 22 && at_least(version, 22, 22, 3)) return true;
  return has_driver && at_least(version, 20, 19, 0);
}

/* Looks for the driver where Node would: in the folder of the core and those above it. */
static bool is_driver_beside(const char *bundle) {
  char *folder = real_path(bundle);
  bool found = false;
  for (char *slash; folder != NULL && !found && (slash = strrchr(folder, '/')) != NULL;) {
    *slash = 0;
    text place = {0};
    text_format(&place, "%s%s", folder, driver);
    found = access(place.bytes, F_OK) == 0;
    text_clear(&place);
  }
  free(folder);
  return found;
}

/* What `node --version` prints, or NULL. */
static char *version_of(const char *program) {
  int out[2];
  if (!open_pair(out, false)) return NULL;
  pid_t pid;
  char *arguments[] = {(char *)program, "--version", NULL};
  char **environment = child_environment();
  int failed = process_start(&pid, program, arguments, environment, (int[]){-1, out[1], -1});
  free_environment(environment);
  fd_close(out[1]);
  text said = {0};
  char bytes[128];
  while (failed == 0 && said.length < 1024) {
    ssize_t got = fd_read(out[0], bytes, sizeof bytes);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    text_add(&said, bytes, (size_t)got);
  }
  fd_close(out[0]);
  if (failed == 0) process_is_over(pid, true);
  while (said.length > 0 && strchr("\r\n", said.bytes[said.length - 1]) != NULL) said.bytes[--said.length] = 0;
  if (said.length > 0) return text_take(&said);
  text_clear(&said);
  return NULL;
}

/* Takes the Node at a path when it is accepted, and notes it when it is not. */
static bool try_node(const char *path, bool has_driver, text *refused) {
  char *version = version_of(path);
  bool is_accepted = version != NULL && node_is_accepted(version, has_driver);
  if (!is_accepted)
    text_format(refused, "%s%s %s%s", refused->length == 0 ? "" : ", ", path, version == NULL ? "does not run" : "is ", version == NULL ? "" : version);
  free(version);
  return is_accepted;
}

char *find_node(const char *given, const char *bundle, asg_error **error) {
  bool has_driver = is_driver_beside(bundle);
  text refused = {0};
  char *found = NULL;
  const char *named[] = {given, getenv("ASG_NODE")};
  for (int n = 0; n < 2 && found == NULL; n++)
    if (named[n] != NULL && *named[n] != 0 && try_node(named[n], has_driver, &refused)) found = copy_string(named[n]);
  const char *path = getenv("PATH");
  while (found == NULL && path != NULL && *path != 0) {
    size_t length = strcspn(path, PATH_SEPARATORS);
    text candidate = {0};
    text_add(&candidate, path, length);
    text_puts(&candidate, NODE_NAME);
    struct stat file;
    if (length > 0 && stat(candidate.bytes, &file) == 0 && S_ISREG(file.st_mode) && try_node(candidate.bytes, has_driver, &refused))
      found = copy_string(candidate.bytes);
    text_clear(&candidate);
    path += length + (path[length] != 0);
  }
  if (found == NULL) {
    const char *hint = "Install Node 24.15 or later (or 22.22.3 or a later 22), or set ASG_NODE to one.";
    if (refused.length == 0) fail(error, "node-not-found", "unavailable", hint, "There is no Node on the PATH.");
    else fail(error, "node-not-found", "unavailable", hint, "No Node that was found can be used: %s.", refused.bytes);
  }
  text_clear(&refused);
  return found;
}

char *find_bundle(const char *given, asg_error **error) {
  const char *named = given != NULL ? given : getenv("ASG_BUNDLE");
  const char *file = named != NULL && *named != 0 ? named : ASG_BUNDLE_PATH;
  if (access(file, R_OK) == 0) return copy_string(file);
  fail(error, "bundle-missing", "unavailable", "Set ASG_BUNDLE to an asg-rpc.mjs, which npm run build makes in packages/server/lib/rpc.", "The core %s cannot be read: %s.", file, strerror(errno));
  return NULL;
}

/* A folder of the user's cache that nobody else can write to, or NULL. */
static char *compile_cache(void) {
  char *cache = cache_folder();
  if (cache == NULL) return NULL;
  text folder = {0};
  text_format(&folder, "%s/agentstategraph", cache);
  free(cache);
  bool is_ours = make_private_folder(folder.bytes);
  text_puts(&folder, "/compiled");
  if (is_ours && make_private_folder(folder.bytes)) return text_take(&folder);
  text_clear(&folder);
  return NULL;
}

static bool is_variable(const char *entry, const char *name) {
  size_t length = strlen(name);
  return strncmp(entry, name, length) == 0 && entry[length] == '=';
}

char **child_environment(void) {
  char **own = environment_of_process();
  size_t count = 0, kept = 0;
  while (own[count] != NULL) count++;
  char **made = asg_grow(NULL, (count + 2) * sizeof *made);
  for (size_t at = 0; at < count; at++)
    if (!is_variable(own[at], "NODE_OPTIONS") && !is_variable(own[at], "NODE_COMPILE_CACHE")) made[kept++] = copy_string(own[at]);
  char *folder = compile_cache();
  if (folder != NULL) {
    text entry = {0};
    text_format(&entry, "NODE_COMPILE_CACHE=%s", folder);
    made[kept++] = text_take(&entry);
  }
  free(folder);
  made[kept] = NULL;
  return made;
}

void free_environment(char **environment) {
  for (char **entry = environment; *entry != NULL; entry++) free(*entry);
  free(environment);
}
