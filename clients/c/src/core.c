/* The conversation with the core: lines out, lines in, and what happens when it ends. */
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "client.h"
#include "system.h"

enum { READ_BYTES = 64 * 1024, PROTOCOL = 1 };

void cond_init(pthread_cond_t *condition) {
#ifdef __APPLE__
  pthread_cond_init(condition, NULL);
#else
  pthread_condattr_t attributes;
  pthread_condattr_init(&attributes);
  pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  pthread_cond_init(condition, &attributes);
  pthread_condattr_destroy(&attributes);
#endif
}

static long milliseconds_until(const struct timespec *until) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  long left = (long)(until->tv_sec - now.tv_sec) * 1000 + (until->tv_nsec - now.tv_nsec + 999999) / 1000000;
  return left < 0 ? 0 : left;
}

static void wait_on(pthread_cond_t *condition, pthread_mutex_t *lock, const struct timespec *until) {
  if (until == NULL) {
    pthread_cond_wait(condition, lock);
    return;
  }
#ifdef __APPLE__
  long left = milliseconds_until(until);
  struct timespec span = {left / 1000, left % 1000 * 1000000};
  pthread_cond_timedwait_relative_np(condition, lock, &span);
#else
  pthread_cond_timedwait(condition, lock, until);
#endif
}

/* Writes as much as the pipe takes. A core that ended is noticed by the end of its output, after what it still answered. */
static void flush(asg *client) {
  while (client->input.length > 0 && client->core.in >= 0) {
    ssize_t sent = fd_send(client->core.in, client->input.bytes, client->input.length);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) break;
    client->written += (uint64_t)sent;
    text_drop(&client->input, (size_t)sent);
  }
}

static void queue(asg *client, const text *line) {
  text_add(&client->input, line->bytes, line->length);
  client->queued += line->length;
  flush(client);
  if (client->input.length > 0 && client->has_leader) (void)!fd_write(client->wake[1], "", 1);
}

static void add_line(text *line, uint64_t id, const char *method, const char *params, const char *caller) {
  text_puts(line, "{\"jsonrpc\":\"2.0\",");
  if (id != 0) text_format(line, "\"id\":%" PRIu64 ",", id);
  text_format(line, "\"method\":\"%s\",\"params\":", method);
  text_puts(line, params);
  if (caller != NULL) {
    text_puts(line, ",\"caller\":");
    text_puts(line, caller);
  }
  text_puts(line, "}\n");
}

void core_send(asg *client, call *made, const char *method, const char *params, const char *caller) {
  *made = (call){.id = ++client->next_id, .start = client->queued, .state = WAITING, .next = client->calls};
  cond_init(&made->woken);
  client->calls = made;
  text line = {0};
  add_line(&line, made->id, method, params, caller);
  queue(client, &line);
  text_clear(&line);
}

void core_notify(asg *client, const char *method, uint64_t id, unsigned items) {
  text params = {0}, line = {0};
  text_format(&params, "{\"id\":%" PRIu64, id);
  if (items > 0) text_format(&params, ",\"items\":%u", items);
  text_puts(&params, "}");
  add_line(&line, 0, method, params.bytes, NULL);
  if (client->core.pid > 0) queue(client, &line);
  text_clear(&params);
  text_clear(&line);
}

static void end_call(call *made, int state) {
  made->state = state;
  pthread_cond_signal(&made->woken);
}

static void answer(asg *client, uint64_t id, span message) {
  for (call **place = &client->calls; *place != NULL; place = &(*place)->next) {
    call *made = *place;
    if (made->id != id) continue;
    *place = made->next;
    span result = json_member(message, "result"), refused = json_member(message, "error");
    if (result.at != NULL) {
      made->result = copy_span(result.at, result.length);
    } else {
      fail_as_told(&made->refusal, json_member(refused, "message"), json_member(refused, "data"));
    }
    end_call(made, result.at != NULL ? ANSWERED : REFUSED);
    return;
  }
}

static void take_item(asg *client, uint64_t id, span params, bool is_end) {
  for (asg_stream *stream = client->streams; stream != NULL; stream = stream->next) {
    if (stream->id != id || !stream->is_running) continue;
    span json = json_member(params, "item"), refused = json_member(params, "error");
    if (is_end) {
      stream->is_over = true;
      if (refused.at != NULL) fail_as_told(&stream->failure, json_member(refused, "message"), json_member(refused, "data"));
    } else if (json.at != NULL) {
      item *added = asg_grow(NULL, sizeof *added);
      *added = (item){NULL, copy_span(json.at, json.length)};
      if (stream->last == NULL) stream->first = added;
      else stream->last->next = added;
      stream->last = added;
    }
    pthread_cond_signal(&stream->woken);
    return;
  }
}

static uint64_t number_in(span json) {
  uint64_t number = 0;
  for (size_t at = 0; at < json.length && json.at[at] >= '0' && json.at[at] <= '9'; at++) number = number * 10 + (uint64_t)(json.at[at] - '0');
  return number;
}

static bool is_text(span json, const char *string) {
  size_t length = strlen(string);
  return json.at != NULL && json.length == length + 2 && memcmp(json.at + 1, string, length) == 0;
}

/* A line that is no message is not for this version. */
static void receive(asg *client, span line) {
  if (!json_is_valid(line)) return;
  span id = json_member(line, "id"), method = json_member(line, "method");
  if (id.at != NULL) {
    answer(client, number_in(id), line);
    return;
  }
  span params = json_member(line, "params");
  bool is_end = is_text(method, "end");
  if (is_end || is_text(method, "item")) take_item(client, number_in(json_member(params, "id")), params, is_end);
}

static void receive_lines(asg *client) {
  size_t from = 0;
  char *end;
  while (client->scanned < client->output.length && (end = memchr(client->output.bytes + client->scanned, '\n', client->output.length - client->scanned)) != NULL) {
    size_t at = (size_t)(end - client->output.bytes);
    receive(client, (span){client->output.bytes + from, at - from});
    from = client->scanned = at + 1;
  }
  text_drop(&client->output, from);
  client->scanned = client->output.length;
}

void core_died(asg *client) {
  child_kill(&client->core);
  memmove(client->deaths + 1, client->deaths, sizeof client->deaths - sizeof client->deaths[0]);
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  client->deaths[0] = now.tv_sec;
  /* A line without its end is no message. */
  text_clear(&client->input);
  text_clear(&client->output);
  client->scanned = 0;
  for (call *made = client->calls; made != NULL;) {
    call *next = made->next;
    made->was_begun = client->written > made->start;
    end_call(made, LOST);
    made = next;
  }
  client->calls = NULL;
  client->queued = client->written = 0;
  for (asg_stream *stream = client->streams; stream != NULL; stream = stream->next) {
    if (!stream->is_over) stream->is_running = false;
    pthread_cond_signal(&stream->woken);
  }
}

static void read_notes(asg *client) {
  char bytes[1024];
  ssize_t got = fd_read(client->core.err, bytes, sizeof bytes);
  if (got > 0) {
    text_add(&client->notes, bytes, (size_t)got);
    if (client->notes.length > NOTES_BYTES) text_drop(&client->notes, client->notes.length - NOTES_BYTES);
  } else if (got == 0) {
    fd_close(client->core.err);
    client->core.err = -1;
  }
}

static void read_output(asg *client) {
  char bytes[READ_BYTES];
  for (;;) {
    ssize_t got = fd_read(client->core.out, bytes, sizeof bytes);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 && errno == EAGAIN) return;
    if (got <= 0) {
      core_died(client);
      return;
    }
    text_add(&client->output, bytes, (size_t)got);
    receive_lines(client);
    if ((size_t)got < sizeof bytes) return;
  }
}

/* One look at the pipes. The lock is free while it waits. */
static void lead(asg *client, long timeout) {
  struct pollfd looked[] = {
      {client->core.out, POLLIN, 0},
      {client->core.err, POLLIN, 0},
      {client->wake[0], POLLIN, 0},
      {client->input.length > 0 ? client->core.in : -1, POLLOUT, 0},
  };
  client->has_leader = true;
  pthread_mutex_unlock(&client->lock);
  int found = fd_poll(looked, 4, timeout > 60000 ? 60000 : (int)timeout);
  pthread_mutex_lock(&client->lock);
  client->has_leader = false;
  if (found <= 0 || client->core.pid <= 0) return;
  char drained[64];
  if (looked[2].revents != 0) (void)!fd_read(client->wake[0], drained, sizeof drained);
  if (looked[1].revents != 0 && client->core.err >= 0) read_notes(client);
  flush(client);
  if (looked[0].revents != 0) read_output(client);
}

bool core_wait(asg *client, pthread_cond_t *woken, const struct timespec *until) {
  long left = until == NULL ? -1 : milliseconds_until(until);
  if (left == 0) return false;
  if (client->has_leader) wait_on(woken, &client->lock, until);
  else lead(client, left);
  return true;
}

void core_hand_over(asg *client) {
  if (client->has_leader) return;
  for (call *made = client->calls; made != NULL; made = made->next) {
    pthread_cond_signal(&made->woken);
    return;
  }
  for (asg_stream *stream = client->streams; stream != NULL; stream = stream->next)
    if (stream->is_waiting) pthread_cond_signal(&stream->woken);
}

void core_await(asg *client, call *made) {
  while (made->state == WAITING) core_wait(client, &made->woken, NULL);
  pthread_cond_destroy(&made->woken);
  core_hand_over(client);
}

static void fail_dead(asg *client, const char *why, asg_error **error) {
  const char *said = client->notes.length == 0 ? "nothing" : client->notes.bytes;
  fail(error, "core-died", "unavailable", "What was answered is stored.", "The core does not run: %s. It said: %s", why, said);
}

static bool died_too_often(const asg *client) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  time_t last = client->deaths[MOST_DEATHS - 1];
  return client->most_deaths <= MOST_DEATHS && last != 0 && now.tv_sec - last < DEATH_WINDOW_S;
}

/* Moves the refusal of a request to the caller. False when it was not answered with a result. */
static bool accept_answer(asg *client, call *made, asg_error **error) {
  if (made->state == LOST) fail_dead(client, "it ended when it was started", error);
  if (made->state == REFUSED && error != NULL) {
    asg_error_free(*error);
    *error = made->refusal;
    made->refusal = NULL;
  }
  asg_error_free(made->refusal);
  return made->state == ANSWERED;
}

static bool greet(asg *client, asg_error **error) {
  text hello = {0}, opened = {0};
  text_format(&hello, "{\"protocol\":%d,\"client\":{\"name\":\"agentstategraph-c\",\"version\":\"" ASG_VERSION "\"}}", PROTOCOL);
  const char *names[] = {"address", "agent", "mode"}, *values[] = {client->address, client->agent, client->mode};
  for (int n = 0; n < 3; n++) {
    if (values[n] == NULL) continue;
    text_format(&opened, "%s\"%s\":", opened.length == 0 ? "{" : ",", names[n]);
    json_add_string(&opened, values[n]);
  }
  text_puts(&opened, opened.length == 0 ? "{}" : "}");
  call greeting, opening;
  core_send(client, &greeting, "hello", hello.bytes, NULL);
  core_send(client, &opening, "open", opened.bytes, NULL);
  core_await(client, &greeting);
  core_await(client, &opening);
  text_clear(&hello);
  text_clear(&opened);
  bool is_agreed = accept_answer(client, &greeting, error);
  if (is_agreed) {
    span told = span_of(greeting.result), limits = json_member(told, "limits");
    client->line_bytes = (size_t)number_in(json_member(limits, "line_bytes"));
    client->stream_items = (unsigned)number_in(json_member(limits, "stream_items"));
    if (number_in(json_member(told, "protocol")) != PROTOCOL || client->line_bytes == 0 || client->stream_items == 0) {
      fail(error, "protocol-unknown", "unsupported", "Update this library.", "The core speaks another protocol.");
      is_agreed = false;
    }
  }
  bool is_open = is_agreed && accept_answer(client, &opening, error);
  if (!is_agreed) asg_error_free(opening.refusal);
  free(greeting.result);
  free(opening.result);
  return is_open;
}

bool core_run(asg *client, asg_error **error) {
  if (client->core.pid > 0) return true;
  if (client->was_started && client->address == NULL) {
    fail(error, "store-lost", "unavailable", "Open it anew, or open a file, which outlives its core.", "The store was in the memory of a core that ended, or of another process.");
    return false;
  }
  if (died_too_often(client)) {
    fail_dead(client, "it ended three times within ten seconds", error);
    return false;
  }
  text_clear(&client->notes);
  if (!child_start(&client->core, client->node, client->bundle, error)) return false;
  if (greet(client, error)) {
    client->was_started = true;
    return true;
  }
  if (client->core.pid > 0) core_died(client);
  return false;
}
