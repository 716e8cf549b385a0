#include "request.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "system.h"

const operation *find_operation(const char *name) {
  for (size_t at = 0; at < operation_count; at++)
    if (strcmp(operations[at].name, name) == 0) return &operations[at];
  return NULL;
}

span span_of(const char *string) { return (span){string, string == NULL ? 0 : strlen(string)}; }

static bool is_object(const char *json, const char *what, asg_error **error) {
  if (json == NULL || (json_is_valid(span_of(json)) && json_is_object(span_of(json)))) return true;
  fail(error, "input-invalid", "usage", "Nothing was sent.", "%s is no object of JSON.", what);
  return false;
}

/* 128 random bits: no other call has this key. */
static char *new_key(void) {
  unsigned char bytes[16];
  if (!random_bytes(bytes, sizeof bytes)) abort();
  text key = {0};
  for (size_t at = 0; at < sizeof bytes; at++) text_format(&key, "%02x", bytes[at]);
  return text_take(&key);
}

bool request_make(request *made, const char *method, const char *params, const char *caller, asg_error **error) {
  *made = (request){0};
  made->op = method == NULL ? NULL : find_operation(method);
  if (made->op == NULL) {
    fail(error, "input-invalid", "usage", "docs/operations.md lists them.", "There is no operation \"%s\".", method == NULL ? "" : method);
    return false;
  }
  if (!is_object(params, "params", error) || !is_object(caller, "caller", error)) return false;
  span fields = span_of(params == NULL ? "{}" : params);
  text line = {0};
  if (made->op->has_key) {
    span given = json_member(fields, "idempotency_key");
    made->key = given.at == NULL ? new_key() : json_string(given);
    if (made->key == NULL) {
      fail(error, "input-invalid", "usage", "Nothing was sent.", "idempotency_key is no text.");
      return false;
    }
    text key = {0};
    json_add_string(&key, made->key);
    json_add_object_with(&line, fields, "idempotency_key", key.bytes);
    text_clear(&key);
  } else {
    json_add_object_with(&line, fields, "", NULL);
  }
  made->params = text_take(&line);
  if (caller != NULL) {
    json_add_object_with(&line, span_of(caller), "", NULL);
    made->caller = text_take(&line);
  }
  return true;
}

void request_clear(request *made) {
  free(made->params);
  free(made->caller);
  free(made->key);
  free(made->began);
  *made = (request){0};
}

bool request_repeats(const request *made) { return made->op->repeats || made->key != NULL; }

static void set_after(request *made, const char *after) {
  text line = {0};
  json_add_object_with(&line, span_of(made->params), "after", after);
  free(made->params);
  made->params = text_take(&line);
}

void request_continue_after(request *made, span item) {
  span cursor = json_member(item, "cursor");
  if (made->op->gives != EVENTS || cursor.at == NULL) return;
  char *after = copy_span(cursor.at, cursor.length);
  set_after(made, after);
  free(after);
}

void request_resume(request *made) {
  if (made->began != NULL && json_member(span_of(made->params), "after").at == NULL) set_after(made, made->began);
}

void fail_unknown(asg_error **error, const request *of) {
  const char *hint = of->key == NULL ? "Read whether it was done before you repeat it."
                                     : "Repeat the same call with this idempotency key: it is done once.";
  fail(error, "outcome-unknown", "unavailable", hint, "%s was sent, and its answer did not come.", of->op->name);
  if (error != NULL) (*error)->key = copy_string(of->key);
}

void fail_as_told(asg_error **error, span message, span described) {
  if (error == NULL) return;
  span data = json_member(described, "data");
  fail(error, "internal", "internal", NULL, "%s", "The core reported an error that cannot be read.");
  char *texts[] = {json_string(json_member(described, "code")), json_string(json_member(described, "kind")), json_string(message)};
  char **members[] = {&(*error)->code, &(*error)->kind, &(*error)->message};
  for (size_t at = 0; at < 3; at++) {
    if (texts[at] == NULL) continue;
    free(*members[at]);
    *members[at] = texts[at];
  }
  (*error)->hint = json_string(json_member(described, "hint"));
  if (data.at != NULL) (*error)->data = copy_span(data.at, data.length);
}
