/* Death: of the core, of the program, and by fork. Each write is made once, and no process is left. */
#include "support.h"

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
void killed_cores_lose_nothing(void) {
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

void a_watch_that_saw_nothing_goes_on_from_where_it_began(void) {
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
void forked_processes_start_their_own_core(void) {
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

void the_core_ends_with_the_program(void) {
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

/* A core that answers hello and open, and ends with a torn line at the next request. */
static const char dying_core[] =
    "#!/bin/sh\n"
    "[ \"$1\" = --version ] && { echo v24.15.0; exit; }\n"
    "read hello; echo '{\"jsonrpc\":\"2.0\",\"id\":'$(echo \"$hello\" | sed 's/.*\"id\":\\([0-9]*\\).*/\\1/')',\"result\":{\"protocol\":1,\"limits\":{\"line_bytes\":4000,\"stream_items\":128}}}'\n"
    "read open; echo '{\"jsonrpc\":\"2.0\",\"id\":'$(echo \"$open\" | sed 's/.*\"id\":\\([0-9]*\\).*/\\1/')',\"result\":{}}'\n"
    "read call; printf '{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{}}'\n";

void the_next_core_opens_the_same_file_from_another_folder(void) {
  char *before = getcwd(NULL, 0), *elsewhere = file_named("elsewhere"), *other = file_named("elsewhere/moved.db");
  CHECK(before != NULL && mkdir(elsewhere, 0700) == 0 && chdir(folder) == 0);
  asg *db = open_store("moved.db");
  asg_free(ask(db, "set", "{\"path\":\"/a\",\"value\":1,\"description\":\"Write\"}"));
  CHECK(chdir(elsewhere) == 0);
  kill(core_of(db), SIGKILL);
  asg_free(ask(db, "get", "{\"path\":\"/a\"}"));
  CHECK(access(other, F_OK) != 0);
  asg_close(db);
  CHECK(chdir(before) == 0);
  free(before);
  free(elsewhere);
  free(other);
}

void a_core_that_dies_is_told(void) {
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
