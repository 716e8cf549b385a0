#include "http.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "system.h"

int http_connect(const char *host, const char *port, text *why) {
  struct addrinfo hints = {.ai_socktype = SOCK_STREAM}, *found = NULL;
  int failed = getaddrinfo(host, port, &hints, &found), fd = -1;
  if (failed != 0) {
    text_puts(why, gai_strerror(failed));
    return -1;
  }
  for (struct addrinfo *at = found; at != NULL && fd < 0; at = at->ai_next) {
    fd = connect_to(at);
    if (fd < 0) failed = errno;
  }
  freeaddrinfo(found);
  if (fd < 0) text_puts(why, strerror(failed));
  return fd;
}

static bool send_all(int fd, const text *request) {
  for (size_t sent = 0; sent < request->length;) {
    ssize_t more = fd_send(fd, request->bytes + sent, request->length - sent);
    if (more < 0 && errno == EINTR) continue;
    if (more <= 0) return false;
    sent += (size_t)more;
  }
  return true;
}

/* Reads once what has arrived. */
static int receive(reply *got, int timeout_ms) {
  struct pollfd looked = {got->fd, POLLIN, 0};
  int ready = fd_poll(&looked, 1, timeout_ms);
  if (ready < 0 && errno == EINTR) return REPLY_TIMEOUT;
  if (ready == 0) return REPLY_TIMEOUT;
  char bytes[16 * 1024];
  ssize_t read_bytes = fd_read(got->fd, bytes, sizeof bytes);
  if (read_bytes < 0 && errno == EINTR) return REPLY_TIMEOUT;
  if (read_bytes < 0) return REPLY_BROKEN;
  if (read_bytes == 0) return REPLY_OVER;
  text_add(&got->raw, bytes, (size_t)read_bytes);
  return REPLY_MORE;
}

/* The value of a header in the head of an answer, or NULL. */
static const char *header(const char *head, const char *name) {
  size_t length = strlen(name);
  for (const char *line = strstr(head, "\r\n"); line != NULL; line = strstr(line + 2, "\r\n"))
    if (strncasecmp(line + 2, name, length) == 0 && line[2 + length] == ':') return line + 3 + length + strspn(line + 3 + length, " ");
  return NULL;
}

static void take_body(reply *got, size_t bytes) {
  text_add(&got->body, got->raw.bytes, bytes);
  text_drop(&got->raw, bytes);
}

/* Moves what has arrived to the body. False when it is no HTTP. */
static bool decode(reply *got) {
  while (!got->is_over && got->raw.length > 0) {
    if (got->left != 0) {
      size_t bytes = got->left < 0 || got->left > (long long)got->raw.length ? got->raw.length : (size_t)got->left;
      take_body(got, bytes);
      if (got->left > 0) got->left -= (long long)bytes;
      if (got->left == 0 && !got->is_chunked) got->is_over = true;
      continue;
    }
    /* Between two chunks: the end of the one, and the size of the next. */
    char *line = got->raw.bytes;
    size_t skipped = strncmp(line, "\r\n", 2) == 0 ? 2 : 0;
    char *end = strstr(line + skipped, "\r\n");
    if (end == NULL) return got->raw.length < 64;
    char *after;
    got->left = strtoll(line + skipped, &after, 16);
    if (after == line + skipped || got->left < 0) return false;
    if (got->left == 0) got->is_over = true;
    text_drop(&got->raw, (size_t)(end - line) + 2);
  }
  return true;
}

bool http_ask(reply *got, int fd, const text *request) {
  *got = (reply){.fd = fd, .left = -1};
  if (!send_all(fd, request)) return false;
  char *end;
  while (got->raw.length == 0 || (end = strstr(got->raw.bytes, "\r\n\r\n")) == NULL) {
    int found = receive(got, -1);
    if (found == REPLY_OVER || found == REPLY_BROKEN || got->raw.length > 1 << 20) return false;
  }
  end[2] = 0;
  if (sscanf(got->raw.bytes, "HTTP/1.%*1d %3d", &got->status) != 1) return false;
  const char *length = header(got->raw.bytes, "content-length"), *coding = header(got->raw.bytes, "transfer-encoding");
  got->is_chunked = coding != NULL && strncasecmp(coding, "chunked", 7) == 0;
  got->left = got->is_chunked ? 0 : length == NULL ? -1 : atoll(length);
  got->is_over = !got->is_chunked && (got->left == 0 || got->status == 204);
  text_drop(&got->raw, (size_t)(end - got->raw.bytes) + 4);
  return decode(got);
}

int http_read(reply *got, int timeout_ms) {
  if (got->is_over || got->fd < 0) return REPLY_OVER;
  int found = receive(got, timeout_ms);
  if (found == REPLY_MORE) return decode(got) ? REPLY_MORE : REPLY_BROKEN;
  if (found != REPLY_OVER) return found;
  bool is_whole = got->left < 0 && !got->is_chunked;
  got->is_over = true;
  return is_whole ? REPLY_OVER : REPLY_BROKEN;
}

void http_close(reply *got) {
  if (got->fd >= 0) fd_close(got->fd);
  got->fd = -1;
  text_clear(&got->raw);
  text_clear(&got->body);
}
