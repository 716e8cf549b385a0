#define _GNU_SOURCE
#include "server.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

#include "http.h"

enum { MOST_RECONNECTS = 6 };

struct server {
  char *address, *host, *port, *token;
};

struct server_stream {
  reply reply;
  bool is_over;
};

bool is_server_address(const char *address) { return strncasecmp(address, "http://", 7) == 0 || strncasecmp(address, "https://", 8) == 0; }

static void fail_unreachable(const server *of, const char *why, asg_error **error) {
  fail(error, "server-unreachable", "unavailable", "Start it with asg serve.", "%s does not answer: %s.", of->address, why);
}

void fail_by_key(asg_error **error) {
  fail(error, "agent-by-key", "usage", "Nothing was sent. Leave out agent and mode, and give each agent a key of its own with add_principal.", "A server decides by the key who calls, and what is allowed.");
}

server *server_open(const char *address, const char *token, asg_error **error) {
  if (strncasecmp(address, "https://", 8) == 0) {
    fail(error, "scheme-unknown", "usage", "Use http:// to a proxy on this machine that speaks TLS.", "%s: this library speaks no TLS.", address);
    return NULL;
  }
  const char *host = address + 7;
  size_t length = strcspn(host, "/?#");
  const char *colon = memchr(host, ':', length);
  if (*host == '[') {
    const char *close = memchr(host, ']', length);
    colon = close != NULL && close[1] == ':' ? close + 1 : NULL;
  }
  size_t name = colon == NULL ? length : (size_t)(colon - host);
  if (name == 0 || host[length + strspn(host + length, "/")] != 0) {
    fail(error, "input-invalid", "usage", "An address is such as http://localhost:4300.", "%s is no address of a server.", address);
    return NULL;
  }
  server *made = asg_grow(NULL, sizeof *made);
  bool is_bracketed = *host == '[';
  *made = (server){
      .address = copy_span(address, 7 + length),
      .host = copy_span(host + is_bracketed, name - (is_bracketed ? 2 : 0)),
      .port = colon == NULL ? copy_string("80") : copy_span(colon + 1, length - name - 1),
      .token = copy_string(token),
  };
  /* A wrong address or token is told here. */
  request asked;
  char *known = NULL;
  if (request_make(&asked, "list_namespaces", NULL, NULL, error)) known = server_call(made, &asked, error);
  request_clear(&asked);
  free(known);
  if (known != NULL) return made;
  server_close(made);
  return NULL;
}

void server_close(server *of) {
  free(of->address);
  free(of->host);
  free(of->port);
  free(of->token);
  free(of);
}

static void add_encoded(text *to, const char *bytes, size_t length) {
  for (size_t at = 0; at < length; at++) {
    unsigned char c = (unsigned char)bytes[at];
    if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || (c != 0 && strchr("-._~", c) != NULL)) text_add(to, bytes + at, 1);
    else text_format(to, "%%%02X", c);
  }
}

/* A field in a URL: a text without its quotes, anything else as JSON. */
static void add_plain(text *to, span json, bool is_json) {
  char *plain = is_json ? NULL : json_string(json);
  if (plain != NULL) add_encoded(to, plain, strlen(plain));
  else add_encoded(to, json.at, json.length);
  free(plain);
}

static void add_query(text *to, const field *named, span json) {
  if (json.at[0] != '[') {
    text_format(to, "%c%s=", to->length == 0 ? '?' : '&', named->name);
    add_plain(to, json, named->is_json);
    return;
  }
  size_t cursor = 0;
  for (span none, item; json_next(json, &cursor, &none, &item);) {
    text_format(to, "%c%s=", to->length == 0 ? '?' : '&', named->name);
    add_plain(to, item, named->is_json);
  }
}

static bool has_field(const operation *op, const char *name) {
  for (size_t n = 0; n < op->field_count; n++)
    if (strcmp(op->fields[n].name, name) == 0) return true;
  return false;
}

/* The params, in the session of the caller where the operation takes one. */
static char *params_of(const request *made) {
  span given = span_of(made->params), session = json_member(span_of(made->caller), "session");
  if (session.at == NULL || !has_field(made->op, "session") || json_member(given, "session").at != NULL) return copy_string(made->params);
  char *value = copy_span(session.at, session.length);
  text with = {0};
  json_add_object_with(&with, given, "session", value);
  free(value);
  return text_take(&with);
}

/* Puts fields in braces into the path, and the rest into the query or the body. */
static void add_request(text *to, const server *of, const request *made) {
  const operation *op = made->op;
  char *all = params_of(made);
  span params = span_of(all);
  text path = {0}, query = {0}, body = {0};
  bool has_body = strcmp(op->method, "GET") != 0 && strcmp(op->method, "DELETE") != 0;
  for (const char *at = op->path; *at != 0;) {
    size_t plain = strcspn(at, "{");
    text_add(&path, at, plain);
    at += plain;
    if (*at == 0) break;
    size_t length = strcspn(++at, "}");
    for (size_t n = 0; n < op->field_count; n++) {
      if (strlen(op->fields[n].name) != length || memcmp(op->fields[n].name, at, length) != 0) continue;
      span given = json_member(params, op->fields[n].name);
      if (given.at == NULL) add_encoded(&path, op->fields[n].unless, strlen(op->fields[n].unless));
      else add_plain(&path, given, false);
    }
    at += length + 1;
  }
  size_t cursor = 0;
  for (span name, value; json_next(params, &cursor, &name, &value);) {
    const field *known = NULL;
    for (size_t n = 0; n < op->field_count && known == NULL; n++)
      if (strlen(op->fields[n].name) == name.length && memcmp(op->fields[n].name, name.at, name.length) == 0) known = &op->fields[n];
    if (known != NULL && known->unless != NULL) continue;
    if (!has_body && known != NULL) {
      add_query(&query, known, value);
    } else if (has_body) {
      text_format(&body, "%c\"%.*s\":", body.length == 0 ? '{' : ',', (int)name.length, name.at);
      text_add(&body, value.at, value.length);
    }
  }
  if (has_body) text_puts(&body, body.length == 0 ? "{}" : "}");
  text_format(to, "%s %s%s HTTP/1.1\r\nHost: %s:%s\r\nConnection: close\r\nUser-Agent: agentstategraph-c/" ASG_VERSION "\r\n", op->method, path.bytes, query.length == 0 ? "" : query.bytes, of->host, of->port);
  text_format(to, "Accept: %s\r\n", op->gives == EVENTS ? "text/event-stream" : "application/json, application/x-ndjson, */*;q=0.1");
  char *key = made->caller == NULL ? NULL : json_string(json_member(span_of(made->caller), "key"));
  const char *token = key != NULL ? key : of->token;
  if (token != NULL && strpbrk(token, "\r\n") == NULL) text_format(to, "Authorization: Bearer %s\r\n", token);
  free(key);
  if (has_body) text_format(to, "Content-Type: application/json\r\nContent-Length: %zu\r\n", body.length);
  text_puts(to, "\r\n");
  text_add(to, body.bytes, body.length);
  text_clear(&path);
  text_clear(&query);
  text_clear(&body);
  free(all);
}

static bool read_whole(reply *got) {
  int found;
  while ((found = http_read(got, -1)) == REPLY_MORE || found == REPLY_TIMEOUT) {}
  return found == REPLY_OVER;
}

/* The problem that a server answered with. */
static void fail_as_answered(const server *of, const reply *got, asg_error **error) {
  span problem = {got->body.bytes, got->body.length};
  if (json_is_valid(problem) && json_member(problem, "code").at != NULL) fail_as_told(error, json_member(problem, "detail"), problem);
  else fail(error, "server-unknown", "unavailable", "Look at the address.", "%s answered %d and does not seem to be an AgentStateGraph server.", of->address, got->status);
}

/* Sends a request, and once more when the connection broke and it can be repeated. With `is_whole` the body is read to its end. */
static bool ask(const server *of, const request *made, reply *got, bool is_whole, asg_error **error) {
  for (bool is_repeated = false;; is_repeated = true) {
    text sent = {0}, why = {0};
    int fd = http_connect(of->host, of->port, &why);
    if (fd < 0 && is_repeated && !made->op->reads) fail_unknown(error, made);
    else if (fd < 0) fail_unreachable(of, why.bytes, error);
    text_clear(&why);
    if (fd < 0) return false;
    add_request(&sent, of, made);
    bool is_answered = http_ask(got, fd, &sent) && ((!is_whole && got->status < 300) || read_whole(got));
    text_clear(&sent);
    if (is_answered && got->status < 300) return true;
    if (is_answered) fail_as_answered(of, got, error);
    http_close(got);
    if (is_answered) return false;
    if (!request_repeats(made) || is_repeated) {
      if (made->op->reads) fail_unreachable(of, "the connection broke", error);
      else fail_unknown(error, made);
      return false;
    }
  }
}

/* Whether the caller has nothing that a server would not hear of. */
static bool is_caller_heard(const request *made, asg_error **error) {
  size_t cursor = 0;
  for (span name, value; made->caller != NULL && json_next(span_of(made->caller), &cursor, &name, &value);) {
    char *member = copy_span(name.at, name.length);
    bool is_heard = strcmp(member, "key") == 0 || strcmp(member, "session") == 0 || strcmp(member, "trace") == 0 || strcmp(member, "client") == 0;
    if (!is_heard && (strcmp(member, "agent") == 0 || strcmp(member, "mode") == 0)) fail_by_key(error);
    else if (!is_heard) fail(error, "input-invalid", "usage", "Nothing was sent.", "caller.%s: there is no such field.", member);
    free(member);
    if (!is_heard) return false;
  }
  return true;
}

char *server_call(server *of, const request *made, asg_error **error) {
  reply got;
  if (!is_caller_heard(made, error) || !ask(of, made, &got, true, error)) return NULL;
  span answer = {got.body.bytes, got.body.length};
  while (answer.length > 0 && (answer.at[answer.length - 1] == '\n' || answer.at[answer.length - 1] == '\r')) answer.length--;
  char *result = json_is_valid(answer) ? copy_span(answer.at, answer.length) : NULL;
  if (result == NULL) fail_as_answered(of, &got, error);
  http_close(&got);
  return result;
}

server_stream *server_watch(server *of, const request *made, asg_error **error) {
  server_stream *stream = asg_grow(NULL, sizeof *stream);
  *stream = (server_stream){0};
  if (is_caller_heard(made, error) && ask(of, made, &stream->reply, false, error)) return stream;
  free(stream);
  return NULL;
}

void server_stream_close(server_stream *stream) {
  http_close(&stream->reply);
  free(stream);
}

/* Takes one event, without its line ends. Comments and empty ones give nothing. */
static bool take_event(text *body, text *kind, text *data) {
  char *end = body->length == 0 ? NULL : strstr(body->bytes, "\n\n");
  if (end == NULL) return false;
  end[1] = 0;
  for (char *line = body->bytes, *next; *line != 0; line = next) {
    next = line + strcspn(line, "\n");
    span value = {NULL, 0};
    text *to = strncmp(line, "data:", 5) == 0 ? data : strncmp(line, "event:", 6) == 0 ? kind : NULL;
    if (to != NULL) {
      value.at = strchr(line, ':') + 1;
      value.at += *value.at == ' ';
      text_add(to, value.at, (size_t)(next - value.at));
    }
    next += *next == '\n';
  }
  text_drop(body, (size_t)(end - body->bytes) + 2);
  return true;
}

/* An item that has arrived whole; NULL when there is none yet. A fault of the server is an error. */
static char *take_item(server_stream *stream, request *made, asg_error **error, bool *is_fault) {
  text *body = &stream->reply.body, item = {0};
  if (made->op->gives == LINES) {
    char *end = body->length == 0 ? NULL : memchr(body->bytes, '\n', body->length);
    if (end == NULL) return NULL;
    size_t length = (size_t)(end - body->bytes) + 1;
    char *line = copy_span(body->bytes, length);
    text_drop(body, length);
    json_add_string(&item, line);
    free(line);
    return text_take(&item);
  }
  text kind = {0};
  while (item.length == 0 && take_event(body, &kind, &item)) {}
  span event = {item.bytes, item.length};
  *is_fault = kind.length > 0 && strcmp(kind.bytes, "fault") == 0;
  bool is_ending = *is_fault && json_member(event, "code").at != NULL && strstr(item.bytes, "\"shutting-down\"") != NULL;
  if (*is_fault && !is_ending) fail_as_told(error, json_member(event, "detail"), event);
  text_clear(&kind);
  if (item.length > 0 && !*is_fault && json_is_valid(event)) {
    request_continue_after(made, event);
    return text_take(&item);
  }
  if (is_ending) *is_fault = false;
  text_clear(&item);
  return NULL;
}

/* Begins a watch again behind its last event, and waits longer each time. */
static bool reconnect(server *of, server_stream *stream, request *made, asg_error **error) {
  request_resume(made);
  for (long attempt = 0; attempt < MOST_RECONNECTS; attempt++) {
    http_close(&stream->reply);
    nanosleep(&(struct timespec){(50L << attempt) / 1000, (50L << attempt) % 1000 * 1000000L}, NULL);
    asg_error *told = NULL;
    if (ask(of, made, &stream->reply, false, &told)) return true;
    bool is_last = attempt == MOST_RECONNECTS - 1 || strcmp(told->code, "server-unreachable") != 0;
    stream->reply.fd = -1;
    if (is_last && error != NULL) *error = told;
    else asg_error_free(told);
    if (is_last) return false;
  }
  return false;
}

int server_next(server *of, server_stream *stream, request *made, int timeout_ms, char **item, asg_error **error) {
  for (;;) {
    bool is_fault = false;
    if (stream->is_over) return ASG_END;
    *item = take_item(stream, made, error, &is_fault);
    if (*item != NULL) return ASG_ITEM;
    int found = is_fault ? REPLY_BROKEN : http_read(&stream->reply, timeout_ms);
    if (found == REPLY_TIMEOUT && timeout_ms >= 0) return ASG_TIMEOUT;
    if (found == REPLY_TIMEOUT) continue;
    if (found == REPLY_MORE) continue;
    if (made->op->gives == EVENTS && !is_fault) {
      if (reconnect(of, stream, made, error)) continue;
      is_fault = true;
    }
    stream->is_over = true;
    if (found == REPLY_OVER && !is_fault && stream->reply.body.length == 0) return ASG_END;
    if (!is_fault) fail_unknown(error, made);
    return ASG_FAILED;
  }
}
