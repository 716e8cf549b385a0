/* One call, checked and made ready: its operation, its params in one line, and the key that lets it be repeated. */
#ifndef ASG_REQUEST_H
#define ASG_REQUEST_H

#include "json.h"
#include "operations.h"

typedef struct request {
  const operation *op;
  char *params; /* an object of JSON in one line */
  char *caller; /* the same, or NULL */
  char *key;    /* NULL when the operation takes none */
  char *began;  /* where a watch goes on when it has to begin again before its first event, or NULL */
} request;

bool request_make(request *made, const char *method, const char *params, const char *caller, asg_error **error);
void request_clear(request *made);
/* Sent twice, it is done once. */
bool request_repeats(const request *made);
/* Lets the events of a watch continue after the one with this JSON. */
void request_continue_after(request *made, span item);

/* Lets a watch begin again: behind its last event, or from where it began. */
void request_resume(request *made);

void fail_unknown(asg_error **error, const request *of);
/* The error that is described by JSON with the members code, kind, hint and data, and a message. */
void fail_as_told(asg_error **error, span message, span described);
span span_of(const char *string);

#endif
