/* The core as a child process: found, started, and waited for. It knows file descriptors and nothing of messages. */
#ifndef ASG_CHILD_H
#define ASG_CHILD_H

#include <stdbool.h>
#include <sys/types.h>

#include "text.h"

typedef struct child {
  pid_t pid; /* 0: there is none */
  int in, out, err;
} child;

/* `node` and `bundle` may be NULL: then the environment says, or where the library was installed. */
bool child_start(child *started, const char *node, const char *bundle, asg_error **error);

/* Closes the descriptors of this process. The core is not told. */
void child_drop(child *of);

/* Ends the core at once, and waits for exactly that process. */
void child_kill(child *of);

/* Waits for a core whose input was closed; after five seconds it is killed. */
void child_end(child *of);

#endif
