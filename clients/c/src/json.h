/* A scanner for the envelope of messages: it finds members and items, checks that a text is JSON, and builds nothing. */
#ifndef ASG_JSON_H
#define ASG_JSON_H

#include <stdbool.h>
#include <stddef.h>

#include "text.h"

/* A piece of a text that is someone else's. */
typedef struct span {
  const char *at; /* NULL: there is none */
  size_t length;
} span;

/* Whether the text is exactly one value: UTF-8, strict JSON, nested at most 1,000 deep. */
bool json_is_valid(span json);

/*
 * Goes through the members of an object, or the items of a list (whose `name` is empty), in a text that json_is_valid accepted.
 * Begin with `cursor` 0; false after the last.
 */
bool json_next(span json, size_t *cursor, span *name, span *value);

/* The member of an object with this name, which has no escapes; { NULL } when there is none, or when it is no object. */
span json_member(span object, const char *name);

bool json_is_object(span json);

/* A text without its quotes and escapes, as a string; NULL when it is no text, or contains the character zero. */
char *json_string(span json);

/* Adds a string as a text of JSON. */
void json_add_string(text *to, const char *string);

/* Adds an object in one line, without the member `name`, and with it as `value` when that is not NULL. */
void json_add_object_with(text *to, span object, const char *name, const char *value);

#endif
