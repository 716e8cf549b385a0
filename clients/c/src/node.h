/* Finds the Node and the file that a core is started from, and makes its environment. */
#ifndef ASG_NODE_H
#define ASG_NODE_H

#include <stdbool.h>

#include "text.h"

/* The path of a Node that the core accepts; NULL when there is none. */
char *find_node(const char *given, const char *bundle, asg_error **error);

char *find_bundle(const char *given, asg_error **error);

/* Whether the core accepts the SQLite of this Node, given as it tells its version. */
bool node_is_accepted(const char *version, bool has_driver);

/* That of this process without NODE_OPTIONS, and with a folder in which Node keeps what it compiled. */
char **child_environment(void);
void free_environment(char **environment);

#endif
