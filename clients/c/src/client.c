#define _GNU_SOURCE
#include "client.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "node.h"
#include "system.h"

/*
 * A forked process has copies of the pipes, on which it would read answers that are not its own, and a lock that a thread that is
 * not there may hold. It closes the copies without sending anything, and starts a core of its own at its next call.
 */
void client_adopt(asg *client) {
  long self = (long)getpid(), owner = atomic_load(&client->owner);
  while (owner != self) {
    if (owner != 0 && atomic_compare_exchange_strong(&client->owner, &owner, 0)) {
      pthread_mutex_init(&client->lock, NULL);
      child_drop(&client->core);
      client->core.pid = 0;
      client->has_leader = false;
      client->calls = NULL;
      client->queued = client->written = 0;
      client->scanned = 0;
      text_clear(&client->input);
      text_clear(&client->output);
      fd_close(client->wake[0]);
      fd_close(client->wake[1]);
      if (!open_pair(client->wake, false)) abort();
      set_nonblocking(client->wake[0]);
      set_nonblocking(client->wake[1]);
      for (asg_stream *stream = client->streams; stream != NULL; stream = stream->next) {
        cond_init(&stream->woken);
        stream->is_running = stream->is_over;
        stream->is_waiting = false;
      }
      atomic_store(&client->owner, self);
    } else {
      sched_yield();
    }
    owner = atomic_load(&client->owner);
  }
}

static void free_client(asg *client) {
  free(client->address);
  free(client->agent);
  free(client->mode);
  free(client->node);
  free(client->bundle);
  text_clear(&client->input);
  text_clear(&client->output);
  text_clear(&client->notes);
  if (client->server != NULL) server_close(client->server);
  fd_close(client->wake[0]);
  fd_close(client->wake[1]);
  pthread_mutex_destroy(&client->lock);
  free(client);
}

/* A file by its whole name: another core is started in the folder where this process is then. */
static char *resolved(const char *address) {
  if (address == NULL || *address == 0 || *address == '/' || *address == '\\') return copy_string(address);
  /* The scheme of a URL, or a drive of Windows. */
  size_t length = strspn(address, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+.-");
  if (address[length] == ':') return copy_string(address);
  char *folder = getcwd(NULL, 0);
  if (folder == NULL) return copy_string(address);
  text whole = {0};
  text_format(&whole, "%s/%s", folder, address);
  free(folder);
  return text_take(&whole);
}

asg *asg_open(const char *address, const asg_options *options, asg_error **error) {
  asg_options given = options == NULL ? (asg_options){0} : *options;
  if (error != NULL) *error = NULL;
  asg *client = asg_grow(NULL, sizeof *client);
  *client = (asg){
      .address = resolved(address),
      .agent = copy_string(given.agent),
      .mode = copy_string(given.mode),
      .node = copy_string(given.node),
      .bundle = copy_string(given.bundle),
      .core = {0, -1, -1, -1},
      .most_deaths = MOST_DEATHS,
      .wake = {-1, -1},
  };
  pthread_mutex_init(&client->lock, NULL);
  atomic_store(&client->owner, (long)getpid());
  bool is_open = open_pair(client->wake, false);
  if (!is_open) fail(error, "core-died", "unavailable", "Look at the limit of open files.", "No pipe can be opened.");
  if (is_open) {
    set_nonblocking(client->wake[0]);
    set_nonblocking(client->wake[1]);
    bool is_served = address != NULL && is_server_address(address);
    if (is_served && (given.agent != NULL || given.mode != NULL)) {
      fail_by_key(error);
      is_open = false;
    } else if (is_served) {
      client->server = server_open(address, given.token, error);
      is_open = client->server != NULL;
    } else if (given.token != NULL) {
      fail(error, "option-invalid", "usage", "Leave out token, or act with a key: that of the caller.", "A store of this machine needs no token.");
      is_open = false;
    } else {
      pthread_mutex_lock(&client->lock);
      is_open = core_run(client, error);
      pthread_mutex_unlock(&client->lock);
    }
  }
  if (is_open) return client;
  free_client(client);
  return NULL;
}

void asg_close(asg *client) {
  if (client == NULL) return;
  client_adopt(client);
  while (client->streams != NULL) asg_stream_close(client->streams);
  child_end(&client->core);
  free_client(client);
}

static bool is_short_enough(const asg *client, const request *made, asg_error **error) {
  size_t bytes = strlen(made->params) + (made->caller == NULL ? 0 : strlen(made->caller)) + 200;
  if (bytes <= client->line_bytes) return true;
  fail(error, "body-too-large", "too-large", "Nothing was sent. Write it in parts.", "%s would send %zu bytes, and a request has at most %zu.", made->op->name, bytes, client->line_bytes);
  return false;
}

/* With the lock held. A stream is registered under the id of its request before that is sent: its items may follow at once. */
char *core_call(asg *client, const request *made, asg_error **error, asg_stream *stream) {
  for (bool is_repeated = false;;) {
    if (!core_run(client, error)) {
      if (is_repeated && !made->op->reads) fail_unknown(error, made);
      return NULL;
    }
    if (!is_short_enough(client, made, error)) return NULL;
    call sent;
    if (stream != NULL) {
      stream->id = client->next_id + 1;
      stream->is_running = true;
      stream->taken = 0;
    }
    core_send(client, &sent, made->op->name, made->params, made->caller);
    core_await(client, &sent);
    if (sent.state == ANSWERED) return sent.result;
    if (sent.state == REFUSED) {
      if (error == NULL) {
        asg_error_free(sent.refusal);
      } else {
        asg_error_free(*error);
        *error = sent.refusal;
      }
      return NULL;
    }
    if (client->address == NULL || !sent.was_begun) continue; /* core_run says that a store in memory is lost */
    if (is_repeated || !request_repeats(made)) {
      fail_unknown(error, made);
      return NULL;
    }
    is_repeated = true;
  }
}

char *asg_call(asg *client, const char *method, const char *params, const char *caller, asg_error **error) {
  request made;
  char *result = NULL;
  if (error != NULL) *error = NULL;
  if (request_make(&made, method, params, caller, error)) {
    if (made.op->gives != ONE) {
      fail(error, "input-invalid", "usage", "asg_watch begins it.", "%s is a stream.", made.op->name);
    } else if (client->server != NULL) {
      result = server_call(client->server, &made, error);
    } else {
      client_adopt(client);
      pthread_mutex_lock(&client->lock);
      result = core_call(client, &made, error, NULL);
      pthread_mutex_unlock(&client->lock);
    }
  }
  request_clear(&made);
  return result;
}
