/*
 * The client: its state, under one lock.
 *
 * No thread runs in the background. Of the threads that wait for answers one is the leader: it polls the pipes and hands each answer
 * to the one that waits for it. When it has its own answer, another one leads.
 */
#ifndef ASG_CLIENT_H
#define ASG_CLIENT_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <time.h>

#include "child.h"
#include "request.h"
#include "server.h"

enum { MOST_DEATHS = 3, DEATH_WINDOW_S = 10, NOTES_BYTES = 4096 };

/* A request that waits for its answer. It lives on the stack of the waiting thread. */
typedef struct call {
  struct call *next;
  uint64_t id;
  uint64_t start; /* where its line begins, counted over everything that was queued for this core */
  pthread_cond_t woken;
  enum { WAITING, ANSWERED, REFUSED, LOST } state;
  bool was_begun; /* of a lost one: some of its line was written */
  char *result;
  asg_error *refusal;
} call;

typedef struct item {
  struct item *next;
  char *json;
} item;

struct asg_stream {
  asg_stream *next;
  asg *client;
  request request;
  uint64_t id;
  pthread_cond_t woken;
  bool is_waiting, is_running, is_over;
  item *first, *last;
  unsigned taken;
  asg_error *failure;
  server_stream *served;
};

struct asg {
  char *address, *agent, *mode, *node, *bundle;
  server *server; /* NULL: the store is in a core of our own */
  _Atomic long owner; /* the process that the core belongs to */

  pthread_mutex_t lock;
  child core;
  int wake[2]; /* written to when the leader has to look again */
  bool has_leader, was_started;
  text input, output, notes;
  size_t scanned; /* so much of the output has no line end */
  uint64_t queued, written, next_id;
  size_t line_bytes;
  unsigned stream_items;
  call *calls;
  asg_stream *streams;
  unsigned most_deaths;
  time_t deaths[MOST_DEATHS];
};

/* The functions of this file are called with the lock held. */

/* Starts a core when there is none. */
bool core_run(asg *client, asg_error **error);
/* Sends a request, and waits until it is answered or lost. */
void core_send(asg *client, call *made, const char *method, const char *params, const char *caller);
void core_await(asg *client, call *made);
void core_notify(asg *client, const char *method, uint64_t id, unsigned items);
/* Waits until `woken` is signalled, or leads; the caller looks again afterwards. False when the time was up. */
bool core_wait(asg *client, pthread_cond_t *woken, const struct timespec *until);
/* Lets another waiting thread lead. */
void core_hand_over(asg *client);
void core_died(asg *client);

/* Without the lock: makes the client one of this process, when it was forked. */
void client_adopt(asg *client);

char *core_call(asg *client, const request *made, asg_error **error, asg_stream *stream);

void cond_init(pthread_cond_t *condition);

#endif
