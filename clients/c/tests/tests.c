/* What the library promises. `tests <name>` runs one of them; ASG_SOAK=1 makes those about death and fork long. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "client.h"
#include "node.h"

static char folder[4096];

static char *file_named(const char *name) {
  text path = {0};
  text_format(&path, "%s/%s", folder, name);
  return text_take(&path);
}

static asg *open_store(const char *address) {
  asg_error *error = NULL;
  asg *db = asg_open(address, NULL, &error);
  if (db == NULL) fprintf(stderr, "%s: %s\n", error->code, error->message);
  CHECK(db != NULL);
  return db;
}

static void no_child_is_left(void) { CHECK(waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD); }

static int count_descriptors(int *beyond_exec) {
  int count = 0;
  DIR *all = opendir("/proc/self/fd");
  for (struct dirent *entry; all != NULL && (entry = readdir(all)) != NULL;) {
    int fd = atoi(entry->d_name);
    if (entry->d_name[0] == '.' || fd == dirfd(all)) continue;
    count++;
    if (fd > 2 && (fcntl(fd, F_GETFD) & FD_CLOEXEC) == 0) ++*beyond_exec;
  }
  if (all != NULL) closedir(all);
  return count;
}

static void calls_are_answered(void) {
  int inherited = 0, before = count_descriptors(&inherited), now = 0;
  asg *db = open_store(NULL);
  CHECK(count_descriptors(&now) > before && now == inherited);
  asg_free(ask(db, "set", "{\n\"path\":\"/a\",\"value\":{\"$date\":\"2026-05-01T12:00:00.000Z\"},\r\n\"description\":\"Say \\u00e4 \\\"why\\\"\"}"));
  char *got = ask(db, "get", "{\"path\":\"/a\"}");
  CHECK(strstr(got, "\"value\":{\"$date\":\"2026-05-01T12:00:00.000Z\"}") != NULL);
  asg_free(got);
  asg_error *error = NULL;
  char *commit = asg_call(db, "set", "{\"path\":\"/b\",\"value\":1,\"description\":\"Act\"}", "{\"agent\":\"agent/x\"}", &error);
  CHECK(commit != NULL && strstr(commit, "\"agent\":\"agent/x\"") != NULL);
  asg_free(commit);
  CHECK(is_refused(db, "get", "{\"path\":\"/nothing\"}", "path-not-found"));
  CHECK(is_refused(db, "get", "{\"path\":3}", "input-invalid"));
  CHECK(is_refused(db, "no_such", "{}", "input-invalid"));
  CHECK(is_refused(db, NULL, NULL, "input-invalid"));
  CHECK(is_refused(db, "get", "[]", "input-invalid"));
  CHECK(is_refused(db, "get", "{\"path\":\"/a\"", "input-invalid"));
  CHECK(is_refused(db, "get", "{\"path\":\"\xff\"}", "input-invalid"));
  CHECK(is_refused(db, "set", "{\"path\":\"/a\",\"value\":1,\"description\":\"x\",\"idempotency_key\":1}", "input-invalid"));
  CHECK(is_refused(db, "watch", "{}", "input-invalid"));
  asg_error *told = NULL;
  CHECK(asg_watch(db, "get", NULL, NULL, &told) == NULL && has_code(told, "input-invalid"));
  CHECK(asg_call(db, "get", "{\"path\":\"/nothing\"}", NULL, NULL) == NULL);
  asg_close(db);
  CHECK(count_descriptors(&now) == before);
  no_child_is_left();
}

static pid_t core_of(asg *db) {
  pthread_mutex_lock(&db->lock);
  pid_t pid = db->core.pid;
  pthread_mutex_unlock(&db->lock);
  return pid;
}

static void the_core_has_its_own_session_and_environment(void) {
  setenv("NODE_OPTIONS", "--no-such-option", 1);
  asg *db = open_store(NULL);
  pid_t pid = core_of(db);
  CHECK(getsid(pid) == pid);
  char path[64], all[1 << 16];
  snprintf(path, sizeof path, "/proc/%ld/environ", (long)pid);
  FILE *file = fopen(path, "r");
  CHECK(file != NULL);
  size_t length = fread(all, 1, sizeof all - 1, file);
  fclose(file);
  all[length] = 0;
  const char *cache = NULL;
  for (const char *entry = all; entry < all + length; entry += strlen(entry) + 1) {
    CHECK(strncmp(entry, "NODE_OPTIONS=", 13) != 0);
    if (strncmp(entry, "NODE_COMPILE_CACHE=", 19) == 0) cache = entry + 19;
  }
  struct stat folder_of_cache;
  CHECK(cache != NULL && stat(cache, &folder_of_cache) == 0 && (folder_of_cache.st_mode & 022) == 0);
  kill(pid, SIGINT);
  asg_free(ask(db, "log", "{}"));
  CHECK(core_of(db) == pid);
  asg_close(db);
  unsetenv("NODE_OPTIONS");
}

static void a_repeated_key_is_one_write(void) {
  asg *db = open_store(NULL);
  const char *params = "{\"path\":\"/all/-\",\"value\":1,\"description\":\"x\",\"idempotency_key\":\"mine\"}";
  char *first = ask(db, "set", params), *second = ask(db, "set", params), *all = ask(db, "get", "{\"path\":\"/all\"}");
  CHECK(strstr(all, "\"value\":[1]") != NULL);
  asg_free(first);
  asg_free(second);
  asg_free(all);
  asg_close(db);
}

typedef struct worker {
  asg *db;
  int number, rounds;
  pthread_t thread;
} worker;

static bool is_long(void) { return getenv("ASG_SOAK") != NULL && strcmp(getenv("ASG_SOAK"), "1") == 0; }

static void *write_and_read(void *given) {
  worker *self = given;
  for (int n = 0; n < self->rounds; n++) {
    char params[128], wanted[32];
    snprintf(params, sizeof params, "{\"path\":\"/w%d\",\"value\":%d,\"description\":\"Write\"}", self->number, self->number * 10000 + n);
    asg_free(ask(self->db, "set", params));
    snprintf(params, sizeof params, "{\"path\":\"/w%d\"}", self->number);
    snprintf(wanted, sizeof wanted, "\"value\":%d", self->number * 10000 + n);
    char *got = ask(self->db, "get", params);
    CHECK(strstr(got, wanted) != NULL);
    asg_free(got);
  }
  return NULL;
}

static void threads_get_their_own_answers(void) {
  worker workers[8];
  asg *db = open_store(NULL);
  for (int n = 0; n < 8; n++) {
    workers[n] = (worker){.db = db, .number = n, .rounds = 25};
    pthread_create(&workers[n].thread, NULL, write_and_read, &workers[n]);
  }
  for (int n = 0; n < 8; n++) pthread_join(workers[n].thread, NULL);
  asg_close(db);
}

enum { EVENTS_WATCHED = 300 };

static void *write_events(void *db) {
  for (int n = 0; n < EVENTS_WATCHED; n++) {
    char params[128];
    snprintf(params, sizeof params, "{\"path\":\"/n\",\"value\":%d,\"description\":\"Count\"}", n);
    asg_free(ask(db, "set", params));
  }
  return NULL;
}

static void a_watch_gives_each_event(void) {
  asg *db = open_store(NULL);
  asg_error *error = NULL;
  char *json = NULL;
  asg_stream *watch = asg_watch(db, "watch", "{\"path\":\"/n\"}", NULL, &error);
  CHECK(watch != NULL);
  CHECK(asg_next(watch, 0, &json, &error) == ASG_TIMEOUT && json == NULL && error == NULL);
  CHECK(asg_next(watch, 20, &json, &error) == ASG_TIMEOUT);
  pthread_t writer;
  pthread_create(&writer, NULL, write_events, db);
  for (int n = 0; n < EVENTS_WATCHED; n++) {
    char wanted[32];
    snprintf(wanted, sizeof wanted, "\"after\":%d", n);
    CHECK(asg_next(watch, -1, &json, &error) == ASG_ITEM && strstr(json, wanted) != NULL);
    asg_free(json);
  }
  pthread_join(writer, NULL);
  asg_stream_close(watch);
  asg_stream *export = asg_watch(db, "export", NULL, NULL, &error);
  int lines = 0, found;
  while ((found = asg_next(export, -1, &json, &error)) == ASG_ITEM) {
    lines++;
    asg_free(json);
  }
  CHECK(found == ASG_END && lines > EVENTS_WATCHED);
  CHECK(asg_next(export, -1, &json, &error) == ASG_END);
  asg_stream_close(asg_watch(db, "watch", "{}", NULL, &error));
  /* One that is still open is closed with the client. */
  asg_watch(db, "watch", "{}", NULL, &error);
  asg_close(db);
}

static void memory_is_lost_with_its_core(void) {
  asg *db = open_store(NULL);
  kill(core_of(db), SIGKILL);
  CHECK(is_refused(db, "log", "{}", "store-lost"));
  CHECK(is_refused(db, "log", "{}", "store-lost"));
  asg_close(db);
}

static atomic_int written;
static atomic_bool is_done;

static void *append(void *given) {
  worker *self = given;
  for (int n = 0; !atomic_load(&is_done); n++) {
    char params[256];
    snprintf(params, sizeof params, "{\"path\":\"/all/-\",\"value\":\"%d.%d\",\"description\":\"Append\"}", self->number, n);
    asg_error *error = NULL;
    char *result = asg_call(self->db, "set", params, NULL, &error);
    while (result == NULL) {
      /* Killed twice before its answer: its key repeats it. */
      CHECK(strcmp(error->code, "outcome-unknown") == 0 && error->key != NULL);
      size_t end = strlen(params) - 1;
      snprintf(params + end, sizeof params - end, ",\"idempotency_key\":\"%s\"}", error->key);
      asg_error_free(error);
      result = asg_call(self->db, "set", params, NULL, &error);
      params[end] = '}';
      params[end + 1] = 0;
    }
    asg_free(result);
    atomic_fetch_add(&written, 1);
  }
  return NULL;
}

/* Under load each write is made exactly once, however often the core is killed, and a watch sees each. */
static void killed_cores_lose_nothing(void) {
  int kills = is_long() ? 200 : 4;
  char *path = file_named("killed.db"), *json = NULL;
  asg_error *error = NULL;
  asg *db = open_store(path);
  db->most_deaths = 1000;
  asg_stream *watch = asg_watch(db, "watch", "{\"after\":\"0\"}", NULL, &error);
  worker workers[6];
  atomic_store(&written, 0);
  atomic_store(&is_done, false);
  for (int n = 0; n < 6; n++) {
    workers[n] = (worker){.db = db, .number = n};
    pthread_create(&workers[n].thread, NULL, append, &workers[n]);
  }
  unsigned seed = 7;
  for (int n = 0; n < kills; n++) {
    int goal = atomic_load(&written) + 1 + rand_r(&seed) % 40;
    while (atomic_load(&written) < goal) asg_free(asg_call(db, "get", "{\"path\":\"/\"}", NULL, NULL));
    pid_t pid = core_of(db);
    if (pid > 0) kill(pid, SIGKILL);
  }
  atomic_store(&is_done, true);
  for (int n = 0; n < 6; n++) pthread_join(workers[n].thread, NULL);
  char *got = ask(db, "get", "{\"path\":\"/all\"}");
  span all = json_member(span_of(got), "value"), none, entry;
  int count = 0;
  size_t cursor = 0;
  while (json_next(all, &cursor, &none, &entry)) {
    char *once = copy_span(entry.at, entry.length);
    CHECK(strstr(strstr(got, once) + 1, once) == NULL);
    free(once);
    count++;
  }
  CHECK(count == atomic_load(&written));
  for (int n = 0; n < count; n++) {
    CHECK(asg_next(watch, -1, &json, &error) == ASG_ITEM && strstr(json, "/all") != NULL);
    asg_free(json);
  }
  asg_free(got);
  char *report = ask(db, "verify", "{}");
  CHECK(strstr(report, "\"ok\":true") != NULL);
  asg_free(report);
  asg_close(db);
  free(path);
  no_child_is_left();
  printf("%d kills, %d writes, each once\n", kills, count);
}

static void a_watch_that_saw_nothing_goes_on_from_where_it_began(void) {
  char *path = file_named("began.db"), *json = NULL;
  asg_error *error = NULL;
  asg *db = open_store(path), *other = open_store(path);
  for (int n = 0; n < 2; n++) {
    asg_stream *watch = asg_watch(db, "watch", NULL, NULL, &error);
    CHECK(watch != NULL);
    kill(core_of(db), SIGKILL);
    asg_free(ask(other, "set", n == 0 ? "{\"path\":\"/a\",\"value\":10,\"description\":\"x\"}" : "{\"path\":\"/a\",\"value\":11,\"description\":\"x\"}"));
    CHECK(asg_next(watch, -1, &json, &error) == ASG_ITEM && strstr(json, n == 0 ? "\"after\":" : "\"after\":11") != NULL);
    asg_free(json);
    asg_stream_close(watch);
  }
  asg_close(db);
  asg_close(other);
  free(path);
}

/* Forked processes have cores of their own: no answer is another's, and the parent goes on with its own. */
static void forked_processes_start_their_own_core(void) {
  char *path = file_named("forked.db");
  asg *db = open_store(path), *memory = open_store(NULL);
  asg_free(ask(db, "set", "{\"path\":\"/w0\",\"value\":0,\"description\":\"Begin\"}"));
  int rounds = is_long() ? 1500 : 100;
  pid_t children[2];
  for (int n = 0; n < 2; n++) {
    children[n] = fork();
    if (children[n] == 0) {
      worker self = {.db = db, .number = n + 1, .rounds = rounds};
      write_and_read(&self);
      CHECK(is_refused(memory, "log", "{}", "store-lost"));
      asg_close(memory);
      asg_close(db);
      _exit(0);
    }
  }
  worker self = {.db = db, .number = 0, .rounds = rounds};
  write_and_read(&self);
  for (int n = 0; n < 2; n++) {
    int status = -1;
    CHECK(waitpid(children[n], &status, 0) == children[n] && status == 0);
  }
  char *got = ask(db, "get", "{\"path\":\"/\"}");
  for (int n = 0; n < 3; n++) {
    char wanted[32];
    snprintf(wanted, sizeof wanted, "\"w%d\":%d", n, n * 10000 + rounds - 1);
    CHECK(strstr(got, wanted) != NULL);
  }
  asg_free(got);
  asg_free(ask(memory, "log", "{}"));
  asg_close(memory);
  asg_close(db);
  free(path);
}

/* Whether a process has ended; one that nobody waits for may still be listed. */
static bool is_gone(pid_t pid) {
  char path[64], state = 'Z';
  snprintf(path, sizeof path, "/proc/%ld/stat", (long)pid);
  FILE *file = fopen(path, "r");
  if (file == NULL) return true;
  if (fscanf(file, "%*d (%*[^)]) %c", &state) != 1) state = 'Z';
  fclose(file);
  return state == 'Z';
}

static void the_core_ends_with_the_program(void) {
  int told[2];
  CHECK(pipe(told) == 0);
  pid_t program = fork();
  if (program == 0) {
    asg *db = open_store(NULL);
    pid_t core = core_of(db);
    CHECK(write(told[1], &core, sizeof core) == sizeof core);
    _exit(0);
  }
  pid_t core = 0;
  CHECK(read(told[0], &core, sizeof core) == sizeof core && core > 0);
  CHECK(waitpid(program, NULL, 0) == program);
  while (!is_gone(core)) usleep(1000);
  close(told[0]);
  close(told[1]);
}

static void write_file(const char *path, const char *content, mode_t mode) {
  FILE *file = fopen(path, "w");
  CHECK(file != NULL);
  fputs(content, file);
  fclose(file);
  chmod(path, mode);
}

/* A core that answers hello and open, and ends with a torn line at the next request. */
static const char dying_core[] =
    "#!/bin/sh\n"
    "[ \"$1\" = --version ] && { echo v24.15.0; exit; }\n"
    "read hello; echo '{\"jsonrpc\":\"2.0\",\"id\":'$(echo \"$hello\" | sed 's/.*\"id\":\\([0-9]*\\).*/\\1/')',\"result\":{\"protocol\":1,\"limits\":{\"line_bytes\":4000,\"stream_items\":128}}}'\n"
    "read open; echo '{\"jsonrpc\":\"2.0\",\"id\":'$(echo \"$open\" | sed 's/.*\"id\":\\([0-9]*\\).*/\\1/')',\"result\":{}}'\n"
    "read call; printf '{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{}}'\n";

static void a_core_that_dies_is_told(void) {
  char *fake = file_named("dying-node"), *bundle = file_named("empty.mjs");
  write_file(fake, dying_core, 0700);
  write_file(bundle, "", 0600);
  asg_error *error = NULL;
  asg *db = asg_open("state.db", &(asg_options){.node = fake, .bundle = bundle}, &error);
  CHECK(db != NULL);
  db->most_deaths = 1000;
  CHECK(asg_call(db, "set", "{\"path\":\"/a\",\"value\":1,\"description\":\"x\"}", NULL, &error) == NULL);
  CHECK(error->key != NULL && strlen(error->key) == 32 && has_code(error, "outcome-unknown"));
  CHECK(asg_call(db, "set", "{\"path\":\"/a\",\"value\":1,\"description\":\"x\",\"idempotency_key\":\"mine\"}", NULL, &error) == NULL);
  CHECK(strcmp(error->key, "mine") == 0 && has_code(error, "outcome-unknown"));
  CHECK(is_refused(db, "speculate", "{}", "outcome-unknown"));
  char params[5000] = "{\"text\":\"";
  memset(params + 9, 'x', 4900);
  strcpy(params + 4900, "\"}");
  CHECK(is_refused(db, "search", params, "body-too-large"));
  db->most_deaths = MOST_DEATHS;
  CHECK(is_refused(db, "log", "{}", "core-died"));
  asg_close(db);
  write_file(fake, "#!/bin/sh\n[ \"$1\" = --version ] && { echo v24.15.0; exit; }\necho no mind to work >&2\n", 0700);
  CHECK(asg_open("state.db", &(asg_options){.node = fake, .bundle = bundle}, &error) == NULL);
  CHECK(strstr(error->message, "no mind to work") != NULL && has_code(error, "core-died"));
  free(fake);
  free(bundle);
}

/* Each case of bad input is an error with a code, a kind, a message and a hint; no process is left, and nothing is written. */

static const char *letter = "This is a letter, and no store, and it is long enough to be looked at.";

/* A store that says that a newer version wrote it: the number at byte 60 of a SQLite file. */
static char *newer_store(void) {
  char *path = file_named("newer.db");
  asg *db = open_store(path);
  asg_free(ask(db, "set", "{\"path\":\"/a\",\"value\":1,\"description\":\"Begin\"}"));
  asg_close(db);
  FILE *file = fopen(path, "r+");
  CHECK(file != NULL && fseek(file, 61, SEEK_SET) == 0 && fputc(1, file) == 1 && fclose(file) == 0);
  return path;
}

/* Answers every request on a free port that the key is wrong, until it is ended. */
static pid_t refusing_server(char *address, size_t size) {
  struct sockaddr_in place = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t length = sizeof place;
  int listening = socket(AF_INET, SOCK_STREAM, 0);
  CHECK(bind(listening, (struct sockaddr *)&place, length) == 0 && listen(listening, 4) == 0);
  CHECK(getsockname(listening, (struct sockaddr *)&place, &length) == 0);
  snprintf(address, size, "http://127.0.0.1:%d", ntohs(place.sin_port));
  static const char answer[] =
      "HTTP/1.1 401 Unauthorized\r\nConnection: close\r\n\r\n"
      "{\"code\":\"unauthenticated\",\"kind\":\"unauthenticated\",\"detail\":\"No.\",\"hint\":\"Send a key.\"}";
  pid_t pid = fork();
  if (pid != 0) {
    close(listening);
    return pid;
  }
  for (;;) {
    int asked = accept(listening, NULL, NULL);
    char asking[4096];
    if (read(asked, asking, sizeof asking) > 0) (void)!write(asked, answer, sizeof answer - 1);
    close(asked);
  }
}

static void bad_input_is_told(void) {
  char *text_file = file_named("text.db"), *absent = file_named("absent.db"), *fake = file_named("old-node"), *bundle = file_named("empty.mjs");
  char *newer = newer_store(), *node = copy_string(getenv("ASG_NODE")), *path = copy_string(getenv("PATH")), refusing[64];
  write_file(text_file, letter, 0600);
  write_file(fake, "#!/bin/sh\necho v22.22.2\n", 0700);
  write_file(bundle, "", 0600);
  pid_t refuser = refusing_server(refusing, sizeof refusing);
  unsetenv("ASG_NODE");
  setenv("PATH", "", 1);
  const struct {
    const char *address;
    asg_options options;
    const char *code;
  } cases[] = {
      {absent, {.bundle = bundle}, "node-not-found"},
      {absent, {.node = fake, .bundle = bundle}, "node-not-found"},
      {absent, {.bundle = "/nowhere/asg-rpc.mjs"}, "bundle-missing"},
      {folder, {.node = node}, "store-failed"},
      {text_file, {.node = node}, "not-a-store"},
      {newer, {.node = node}, "format-unsupported"},
      {absent, {.node = node, .mode = "read-only"}, "store-missing"},
      {absent, {.node = node, .mode = "nonsense"}, "input-invalid"},
      {"gopher://localhost", {.node = node}, "scheme-unknown"},
      {"http://127.0.0.1:1", {0}, "server-unreachable"},
      {"https://127.0.0.1:1", {0}, "scheme-unknown"},
      {"http://", {0}, "input-invalid"},
      {refusing, {.token = "wrong"}, "unauthenticated"},
  };
  for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
    asg_error *error = NULL;
    CHECK(asg_open(cases[n].address, &cases[n].options, &error) == NULL);
    CHECK(error != NULL && error->hint != NULL && *error->hint != 0);
    CHECK(has_code(error, cases[n].code) && access(absent, F_OK) != 0);
    CHECK(waitpid(-1, NULL, WNOHANG) == 0);
  }
  kill(refuser, SIGKILL);
  CHECK(waitpid(refuser, NULL, 0) == refuser);
  no_child_is_left();
  if (node != NULL) setenv("ASG_NODE", node, 1);
  setenv("PATH", path, 1);
  FILE *kept = fopen(text_file, "r");
  char first[17] = "";
  CHECK(kept != NULL && fgets(first, sizeof first, kept) != NULL && strcmp(first, "This is a letter") == 0);
  fclose(kept);
  CHECK(node_is_accepted("v24.15.0", false) && node_is_accepted("v22.22.3", false) && node_is_accepted("v25.0.0", false));
  CHECK(!node_is_accepted("v24.14.9", false) && !node_is_accepted("v22.22.2", false) && !node_is_accepted("v23.9.0", false));
  CHECK(node_is_accepted("v20.19.0", true) && !node_is_accepted("v20.18.9", true) && !node_is_accepted("nonsense", true));
  free(node);
  free(path);
  free(newer);
  free(text_file);
  free(absent);
  free(fake);
  free(bundle);
}

static bool is_valid(const char *json) { return json_is_valid(span_of(json)); }

static void the_scanner_is_strict(void) {
  const char *good[] = {"{}", " [1, -0.5e+3, \"\\ud83d\\ude00 ü\", null, true, false] ", "{\"a\":{\"b\":[[]]}}", "0", "\"\"", "-0", "1E9"};
  const char *bad[] = {"", "{", "[1,]", "{\"a\":1,}", "{a:1}", "01", "1.", ".5", "+1", "1e", "\"\\x\"", "\"\n\"", "\"\\u12g4\"", "nul", "[1]2", "\"\xc0\x80\"", "\"\xed\xa0\x80\"", "\"\xf5\x80\x80\x80\"", "\"\xe2\x82\"", "tru", "[\"]"};
  for (size_t n = 0; n < sizeof good / sizeof *good; n++) CHECK(is_valid(good[n]));
  for (size_t n = 0; n < sizeof bad / sizeof *bad; n++) CHECK(!is_valid(bad[n]));
  char *plain = json_string(span_of("\"a\\n\\u00e4\\ud83d\\ude00\\\"\\/\""));
  CHECK(strcmp(plain, "a\nä😀\"/") == 0);
  free(plain);
  CHECK(json_string(span_of("\"\\u0000\"")) == NULL && json_string(span_of("3")) == NULL);
  char deep[3000];
  memset(deep, '[', 1500);
  memset(deep + 1500, ']', 1500);
  CHECK(!json_is_valid((span){deep, 3000}) && json_is_valid((span){deep + 600, 1800}));
}

/* Changed messages are refused, or are walked without leaving them; the sanitizers see the rest. */
static void the_scanner_survives_noise(void) {
  const char *seeds[] = {"{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{\"a\":[1,2.5e3,\"\\u00e4\\ud83d\\ude00\",{\"b\":null}]}}", "{\"id\":1,\"error\":{\"message\":\"x\",\"data\":{\"code\":\"c\",\"hint\":\"ü\"}}}"};
  unsigned seed = 7;
  for (int round = 0; round < 20000; round++) {
    char *json = copy_string(seeds[round % 2]);
    size_t length = strlen(json);
    for (int n = rand_r(&seed) % 4; n >= 0; n--) json[(size_t)rand_r(&seed) % length] = "{}[]\",:\\u0a\x80\xc3 \n"[rand_r(&seed) % 15];
    length -= (size_t)rand_r(&seed) % 5;
    char *exact = asg_grow(NULL, length);
    memcpy(exact, json, length);
    span message = {exact, length};
    if (json_is_valid(message)) {
      size_t cursor = 0;
      for (span name, value; json_next(message, &cursor, &name, &value);) {
        CHECK(json_is_valid(value));
        free(json_string(value));
      }
      text line = {0};
      json_add_object_with(&line, json_is_object(message) ? message : span_of("{}"), "id", "1");
      CHECK(json_is_valid((span){line.bytes, line.length}) && strchr(line.bytes, '\n') == NULL);
      text_clear(&line);
    }
    free(exact);
    free(json);
  }
}

static const struct {
  const char *name;
  void (*run)(void);
} tests[] = {
    {"scanner", the_scanner_is_strict},
    {"noise", the_scanner_survives_noise},
    {"calls", calls_are_answered},
    {"session", the_core_has_its_own_session_and_environment},
    {"keys", a_repeated_key_is_one_write},
    {"threads", threads_get_their_own_answers},
    {"watch", a_watch_gives_each_event},
    {"memory", memory_is_lost_with_its_core},
    {"death", a_core_that_dies_is_told},
    {"kills", killed_cores_lose_nothing},
    {"began", a_watch_that_saw_nothing_goes_on_from_where_it_began},
    {"fork", forked_processes_start_their_own_core},
    {"exit", the_core_ends_with_the_program},
    {"input", bad_input_is_told},
};

int main(int count, char **names) {
  const char *temporary = getenv("TMPDIR");
  snprintf(folder, sizeof folder, "%s/asg-c-XXXXXX", temporary != NULL ? temporary : P_tmpdir);
  CHECK(mkdtemp(folder) != NULL);
  for (size_t n = 0; n < sizeof tests / sizeof *tests; n++) {
    bool is_wanted = count == 1;
    for (int at = 1; at < count; at++) is_wanted |= strcmp(names[at], tests[n].name) == 0;
    if (!is_wanted) continue;
    tests[n].run();
    printf("ok %s\n", tests[n].name);
    fflush(stdout);
  }
  text command = {0};
  text_format(&command, "rm -rf %s", folder);
  int removed = system(command.bytes);
  text_clear(&command);
  return removed == 0 ? 0 : 1;
}
