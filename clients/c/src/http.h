/* One HTTP/1.1 request on one connection, and its answer, read bit by bit. */
#ifndef ASG_HTTP_H
#define ASG_HTTP_H

#include "text.h"

#include <stdbool.h>

typedef struct reply {
  int fd; /* -1: closed */
  int status;
  text raw;  /* received, and not looked at */
  text body; /* of the answer, and not taken */
  bool is_chunked, is_over;
  long long left; /* of the body or the chunk; -1: until the connection is closed */
} reply;

enum { REPLY_MORE = 1, REPLY_TIMEOUT = 0, REPLY_OVER = 2, REPLY_BROKEN = -1 };

/* -1 when the server cannot be reached; errno or gai_strerror says why, in `why`. */
int http_connect(const char *host, const char *port, text *why);
/* Sends a request and reads the head of the answer. False when the connection broke. */
bool http_ask(reply *got, int fd, const text *request);
/* Waits for more of the body; a negative time has no end. */
int http_read(reply *got, int timeout_ms);
void http_close(reply *got);

#endif
