/* What the library promises. `tests <name>` runs one of them; ASG_SOAK=1 makes those about death and fork long. */
#include "support.h"

char folder[4096];

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
    {"folder", the_next_core_opens_the_same_file_from_another_folder},
    {"kills", killed_cores_lose_nothing},
    {"began", a_watch_that_saw_nothing_goes_on_from_where_it_began},
    {"fork", forked_processes_start_their_own_core},
    {"exit", the_core_ends_with_the_program},
    {"input", bad_input_is_told},
    {"caller", a_server_knows_who_calls_by_the_key},
    {"unread", what_the_core_does_not_read_is_told},
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
