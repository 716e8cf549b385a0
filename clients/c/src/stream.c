/* Streams: watch, export and export_epoch. A watch goes on in the next core, after its last event. */
#define _GNU_SOURCE
#include <stdlib.h>

#include "client.h"

/* The number of the newest commit as a text of JSON; NULL when it cannot be asked, which the watch itself will tell. */
static char *newest(asg *client, const request *of) {
  span params = span_of(of->params), namespace = json_member(params, "namespace"), none, commit;
  if (of->op->gives != EVENTS || json_member(params, "after").at != NULL) return NULL;
  text query = {0}, found = {0};
  text_puts(&query, "{\"limit\":1");
  if (namespace.at != NULL) text_format(&query, ",\"namespace\":%.*s", (int)namespace.length, namespace.at);
  text_puts(&query, "}");
  char *answer = asg_call(client, "query", query.bytes, of->caller, NULL);
  span items = json_member(span_of(answer), "items");
  size_t cursor = 0;
  span seq = items.at != NULL && json_next(items, &cursor, &none, &commit) ? json_member(commit, "seq") : (span){"0", 1};
  if (answer != NULL) text_format(&found, "\"%.*s\"", (int)seq.length, seq.at);
  free(answer);
  text_clear(&query);
  return answer == NULL ? NULL : text_take(&found);
}

asg_stream *asg_watch(asg *client, const char *method, const char *params, const char *caller, asg_error **error) {
  if (error != NULL) *error = NULL;
  asg_stream *stream = asg_grow(NULL, sizeof *stream);
  *stream = (asg_stream){.client = client};
  cond_init(&stream->woken);
  bool is_begun = request_make(&stream->request, method, params, caller, error);
  if (is_begun && stream->request.op->gives == ONE) {
    fail(error, "input-invalid", "usage", "asg_call makes it.", "%s is no stream.", stream->request.op->name);
    is_begun = false;
  }
  if (is_begun) stream->request.began = newest(client, &stream->request);
  if (is_begun && client->server != NULL) {
    stream->served = server_watch(client->server, &stream->request, error);
    is_begun = stream->served != NULL;
  } else if (is_begun) {
    client_adopt(client);
    pthread_mutex_lock(&client->lock);
    stream->next = client->streams;
    client->streams = stream;
    char *begun = core_call(client, &stream->request, error, stream);
    is_begun = begun != NULL;
    free(begun);
    pthread_mutex_unlock(&client->lock);
  }
  if (is_begun) return stream;
  asg_stream_close(stream);
  return NULL;
}

static bool has_items(const asg_stream *stream) { return stream->first != NULL; }

/* Takes the first item, and lets the core send as many more as were taken. */
static char *take(asg_stream *stream) {
  item *first = stream->first;
  char *json = first->json;
  stream->first = first->next;
  if (stream->first == NULL) stream->last = NULL;
  free(first);
  unsigned half = stream->client->stream_items / 2;
  if (++stream->taken >= half && stream->is_running) {
    stream->taken = 0;
    core_notify(stream->client, "more", stream->id, half);
  }
  request_continue_after(&stream->request, span_of(json));
  return json;
}

static int finish(asg_stream *stream, asg_error **error) {
  if (stream->failure == NULL) return ASG_END;
  if (error != NULL) *error = stream->failure;
  else asg_error_free(stream->failure);
  stream->failure = NULL;
  return ASG_FAILED;
}

/* The core ended: a watch continues in the next one, and what is part of a whole cannot. */
static bool resume(asg_stream *stream, asg_error **error) {
  if (stream->request.op->gives == EVENTS) {
    request_resume(&stream->request);
    char *begun = core_call(stream->client, &stream->request, error, stream);
    free(begun);
    return begun != NULL;
  }
  stream->is_over = true;
  fail_unknown(error, &stream->request);
  return false;
}

static int next_of_core(asg_stream *stream, int timeout_ms, char **json, asg_error **error) {
  asg *client = stream->client;
  struct timespec until;
  clock_gettime(CLOCK_MONOTONIC, &until);
  if (timeout_ms > 0) {
    until.tv_sec += timeout_ms / 1000;
    until.tv_nsec += timeout_ms % 1000 * 1000000L;
    if (until.tv_nsec >= 1000000000L) {
      until.tv_nsec -= 1000000000L;
      until.tv_sec++;
    }
  }
  for (;;) {
    if (has_items(stream)) {
      *json = take(stream);
      return ASG_ITEM;
    }
    if (stream->is_over) return finish(stream, error);
    if (!stream->is_running && !resume(stream, error)) return ASG_FAILED;
    if (has_items(stream)) continue;
    stream->is_waiting = true;
    bool has_time = core_wait(client, &stream->woken, timeout_ms < 0 ? NULL : &until);
    stream->is_waiting = false;
    if (!has_time && !has_items(stream)) return ASG_TIMEOUT;
  }
}

int asg_next(asg_stream *stream, int timeout_ms, char **json, asg_error **error) {
  if (error != NULL) *error = NULL;
  *json = NULL;
  asg *client = stream->client;
  if (stream->served != NULL) return server_next(client->server, stream->served, &stream->request, timeout_ms, json, error);
  client_adopt(client);
  pthread_mutex_lock(&client->lock);
  int found = next_of_core(stream, timeout_ms, json, error);
  core_hand_over(client);
  pthread_mutex_unlock(&client->lock);
  return found;
}

void asg_stream_close(asg_stream *stream) {
  if (stream == NULL) return;
  asg *client = stream->client;
  if (stream->served != NULL) server_stream_close(stream->served);
  client_adopt(client);
  pthread_mutex_lock(&client->lock);
  for (asg_stream **place = &client->streams; *place != NULL; place = &(*place)->next)
    if (*place == stream) {
      *place = stream->next;
      break;
    }
  if (stream->is_running && !stream->is_over) core_notify(client, "cancel", stream->id, 0);
  pthread_mutex_unlock(&client->lock);
  while (has_items(stream)) {
    item *first = stream->first;
    stream->first = first->next;
    free(first->json);
    free(first);
  }
  asg_error_free(stream->failure);
  request_clear(&stream->request);
  pthread_cond_destroy(&stream->woken);
  free(stream);
}
