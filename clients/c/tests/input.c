/* What comes from outside: bad input of a program, and messages that are none. */
#include "support.h"

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

static const char refusal[] =
    "HTTP/1.1 401 Unauthorized\r\nConnection: close\r\n\r\n"
    "{\"code\":\"unauthenticated\",\"kind\":\"unauthenticated\",\"detail\":\"No.\",\"hint\":\"Send a key.\"}";

static const char empty_list[] = "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n{\"items\":[]}";

/* Answers every request on a free port with the same, until it is ended. */
static pid_t answering_server(const char *answer, char *address, size_t size) {
  struct sockaddr_in place = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t length = sizeof place;
  int listening = socket(AF_INET, SOCK_STREAM, 0);
  CHECK(bind(listening, (struct sockaddr *)&place, length) == 0 && listen(listening, 4) == 0);
  CHECK(getsockname(listening, (struct sockaddr *)&place, &length) == 0);
  snprintf(address, size, "http://127.0.0.1:%d", ntohs(place.sin_port));
  pid_t pid = fork();
  if (pid != 0) {
    close(listening);
    return pid;
  }
  for (;;) {
    int asked = accept(listening, NULL, NULL);
    char asking[4096];
    if (read(asked, asking, sizeof asking) > 0) (void)!write(asked, answer, strlen(answer));
    close(asked);
  }
}

void bad_input_is_told(void) {
  char *text_file = file_named("text.db"), *absent = file_named("absent.db"), *fake = file_named("old-node"), *bundle = file_named("empty.mjs");
  char *newer = newer_store(), *node = copy_string(getenv("ASG_NODE")), *path = copy_string(getenv("PATH")), refusing[64];
  write_file(text_file, letter, 0600);
  write_file(fake, "#!/bin/sh\necho v22.22.2\n", 0700);
  write_file(bundle, "", 0600);
  pid_t refuser = answering_server(refusal, refusing, sizeof refusing);
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
      {absent, {.node = node, .token = "x"}, "option-invalid"},
      {":memory:", {.node = node}, "option-invalid"},
      {refusing, {.agent = "agent/x"}, "agent-by-key"},
      {refusing, {.mode = "read-only"}, "agent-by-key"},
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

/* What a server would not hear of is refused: a call for reading must not write. */
void a_server_knows_who_calls_by_the_key(void) {
  char address[64];
  pid_t answerer = answering_server(empty_list, address, sizeof address);
  asg_error *error = NULL;
  asg *db = asg_open(address, &(asg_options){.token = "key"}, &error);
  CHECK(db != NULL);
  const char *callers[][2] = {{"{\"agent\":\"agent/x\"}", "agent-by-key"}, {"{\"trace\":\"t\",\"mode\":\"read-only\"}", "agent-by-key"}, {"{\"agnt\":\"x\"}", "input-invalid"}};
  for (size_t n = 0; n < sizeof callers / sizeof *callers; n++) {
    CHECK(asg_call(db, "list_namespaces", NULL, callers[n][0], &error) == NULL && has_code(error, callers[n][1]));
    CHECK(asg_watch(db, "watch", NULL, callers[n][0], &error) == NULL && has_code(error, callers[n][1]));
  }
  char *list = asg_call(db, "list_namespaces", NULL, "{\"session\":\"s\",\"trace\":\"t\"}", &error);
  CHECK(list != NULL && strcmp(list, "{\"items\":[]}") == 0);
  asg_free(list);
  asg_close(db);
  kill(answerer, SIGKILL);
  CHECK(waitpid(answerer, NULL, 0) == answerer);
}

/* The core reads less than the scanner lets pass: it answers, and the next call is answered too. */
void what_the_core_does_not_read_is_told(void) {
  asg *db = open_store(NULL);
  const char *values[] = {"12345678901234567890", "{\"a\":1,\"a\":2}", "\"\\ud800\"", NULL};
  char deep[801] = "";
  memset(deep, '[', 400);
  memset(deep + 400, ']', 400);
  values[3] = deep;
  for (size_t n = 0; n < sizeof values / sizeof *values; n++) {
    text params = {0};
    text_format(&params, "{\"path\":\"/a\",\"description\":\"Write\",\"value\":%s}", values[n]);
    CHECK(is_refused(db, "set", params.bytes, "body-refused"));
    text_clear(&params);
  }
  asg_free(ask(db, "set", "{\"path\":\"/a\",\"value\":1,\"description\":\"Write\"}"));
  asg_close(db);
}

static bool is_valid(const char *json) { return json_is_valid(span_of(json)); }

void the_scanner_is_strict(void) {
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
void the_scanner_survives_noise(void) {
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
