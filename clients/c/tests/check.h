/* The little that the tests need. */
#ifndef ASG_CHECK_H
#define ASG_CHECK_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "asg.h"

#define CHECK(what)                                                     \
  do {                                                                  \
    if (!(what)) {                                                      \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #what);        \
      exit(1);                                                          \
    }                                                                   \
  } while (0)

/* The result of a call that has to succeed. */
static inline char *ask(asg *db, const char *method, const char *params) {
  asg_error *error = NULL;
  char *result = asg_call(db, method, params, NULL, &error);
  if (result == NULL) {
    fprintf(stderr, "%s %s: %s: %s\n", method, params, error->code, error->message);
    exit(1);
  }
  CHECK(error == NULL);
  return result;
}

/* Whether an error has this code, a message and a kind. It is freed. */
static inline int has_code(asg_error *error, const char *code) {
  int is_right = error != NULL && strcmp(error->code, code) == 0 && error->message != NULL && error->kind != NULL;
  if (!is_right) fprintf(stderr, "the error is %s: %s\n", error == NULL ? "none" : error->code, error == NULL ? "" : error->message);
  asg_error_free(error);
  return is_right;
}

static inline int is_refused(asg *db, const char *method, const char *params, const char *code) {
  asg_error *error = NULL;
  char *result = asg_call(db, method, params, NULL, &error);
  CHECK(result == NULL);
  return has_code(error, code);
}

#endif
