/* Bytes that grow, and the errors of the client. */
#ifndef ASG_TEXT_H
#define ASG_TEXT_H

#include <stdarg.h>
#include <stddef.h>

#include "asg.h"

/* The formats of C11; those of the older runtime of Windows lack %zu. */
#ifdef __MINGW32__
#define ASG_PRINTF __gnu_printf__
#else
#define ASG_PRINTF __printf__
#endif

typedef struct text {
  char *bytes; /* with a zero behind the last */
  size_t length, room;
} text;

/* Memory that ends the process when there is none: a client that lost half a line could only lie. */
void *asg_grow(void *old, size_t size);

void text_add(text *to, const char *bytes, size_t length);
void text_puts(text *to, const char *string);
void text_format(text *to, const char *format, ...) __attribute__((format(ASG_PRINTF, 2, 3)));
/* Drops bytes at the beginning. */
void text_drop(text *from, size_t length);
void text_clear(text *to);
/* The bytes as a string, which is now the caller's. */
char *text_take(text *from);
char *copy_span(const char *bytes, size_t length);
/* NULL stays NULL. */
char *copy_string(const char *string);

/* Makes an error where the caller wants one. The message is made as by printf. */
void fail(asg_error **error, const char *code, const char *kind, const char *hint, const char *format, ...)
    __attribute__((format(ASG_PRINTF, 5, 6)));

#endif
