#include "text.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *asg_grow(void *old, size_t size) {
  void *memory = realloc(old, size);
  if (memory == NULL) {
    fputs("asg: out of memory\n", stderr);
    abort();
  }
  return memory;
}

static void make_room(text *to, size_t more) {
  if (more > SIZE_MAX / 2 - to->length) abort();
  size_t needed = to->length + more + 1;
  if (needed <= to->room) return;
  size_t room = to->room < 256 ? 256 : to->room * 2;
  if (room < needed) room = needed;
  to->bytes = asg_grow(to->bytes, room);
  to->room = room;
}

void text_add(text *to, const char *bytes, size_t length) {
  make_room(to, length);
  if (length > 0) memcpy(to->bytes + to->length, bytes, length);
  to->length += length;
  to->bytes[to->length] = 0;
}

void text_puts(text *to, const char *string) { text_add(to, string, strlen(string)); }

static void add_formatted(text *to, const char *format, va_list values) {
  va_list again;
  va_copy(again, values);
  int length = vsnprintf(NULL, 0, format, again);
  va_end(again);
  if (length < 0) return;
  make_room(to, (size_t)length);
  vsnprintf(to->bytes + to->length, (size_t)length + 1, format, values);
  to->length += (size_t)length;
}

void text_format(text *to, const char *format, ...) {
  va_list values;
  va_start(values, format);
  add_formatted(to, format, values);
  va_end(values);
}

void text_drop(text *from, size_t length) {
  if (length == 0) return;
  memmove(from->bytes, from->bytes + length, from->length - length + 1);
  from->length -= length;
}

void text_clear(text *to) {
  free(to->bytes);
  *to = (text){0};
}

char *text_take(text *from) {
  if (from->bytes == NULL) text_puts(from, "");
  char *bytes = from->bytes;
  *from = (text){0};
  return bytes;
}

char *copy_span(const char *bytes, size_t length) {
  text copied = {0};
  text_add(&copied, bytes, length);
  return text_take(&copied);
}

char *copy_string(const char *string) { return string == NULL ? NULL : copy_span(string, strlen(string)); }

void fail(asg_error **error, const char *code, const char *kind, const char *hint, const char *format, ...) {
  if (error == NULL) return;
  text message = {0};
  va_list values;
  va_start(values, format);
  add_formatted(&message, format, values);
  va_end(values);
  asg_error_free(*error);
  *error = asg_grow(NULL, sizeof **error);
  **error = (asg_error){copy_string(code), copy_string(kind), text_take(&message), copy_string(hint), NULL, NULL};
}

void asg_error_free(asg_error *error) {
  if (error == NULL) return;
  free(error->code);
  free(error->kind);
  free(error->message);
  free(error->hint);
  free(error->data);
  free(error->key);
  free(error);
}

void asg_free(void *memory) { free(memory); }

const char *asg_version(void) { return ASG_VERSION; }
