/* What the client has to know of the operations. The table is generated. */
#ifndef ASG_OPERATIONS_H
#define ASG_OPERATIONS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct field {
  const char *name;
  bool is_json;       /* in a query it is sent as JSON, so that the text "3" is no number */
  const char *unless; /* its default, when it is in the path of a URL */
} field;

typedef struct operation {
  const char *name;
  const char *method, *path; /* of HTTP */
  bool reads;
  bool repeats; /* can be sent again without a key */
  bool has_key;
  enum { ONE, EVENTS, LINES } gives;
  size_t field_count;
  const field *fields;
} operation;

extern const operation operations[];
extern const size_t operation_count;

/* NULL when there is none. */
const operation *find_operation(const char *name);

#endif
