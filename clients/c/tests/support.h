/* What the tests of the library share. */
#ifndef ASG_TESTS_SUPPORT_H
#define ASG_TESTS_SUPPORT_H

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

/* A folder that is removed at the end. */
extern char folder[4096];

static inline char *file_named(const char *name) {
  text path = {0};
  text_format(&path, "%s/%s", folder, name);
  return text_take(&path);
}

static inline asg *open_store(const char *address) {
  asg_error *error = NULL;
  asg *db = asg_open(address, NULL, &error);
  if (db == NULL) fprintf(stderr, "%s: %s\n", error->code, error->message);
  CHECK(db != NULL);
  return db;
}

static inline void no_child_is_left(void) { CHECK(waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD); }

static inline pid_t core_of(asg *db) {
  pthread_mutex_lock(&db->lock);
  pid_t pid = db->core.pid;
  pthread_mutex_unlock(&db->lock);
  return pid;
}

typedef struct worker {
  asg *db;
  int number, rounds;
  pthread_t thread;
} worker;

static inline bool is_long(void) { return getenv("ASG_SOAK") != NULL && strcmp(getenv("ASG_SOAK"), "1") == 0; }

static inline void *write_and_read(void *given) {
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

static inline void write_file(const char *path, const char *content, mode_t mode) {
  FILE *file = fopen(path, "w");
  CHECK(file != NULL);
  fputs(content, file);
  fclose(file);
  chmod(path, mode);
}

/* The tests of the other files. */
void a_core_that_dies_is_told(void);
void the_next_core_opens_the_same_file_from_another_folder(void);
void killed_cores_lose_nothing(void);
void a_watch_that_saw_nothing_goes_on_from_where_it_began(void);
void forked_processes_start_their_own_core(void);
void the_core_ends_with_the_program(void);
void bad_input_is_told(void);
void a_server_knows_who_calls_by_the_key(void);
void what_the_core_does_not_read_is_told(void);
void the_scanner_is_strict(void);
void the_scanner_survives_noise(void);

#endif
