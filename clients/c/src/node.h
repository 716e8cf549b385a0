/* Finds the Node and the file that a core is started from, and makes its environment. */
#ifndef ASG_NODE_H
#define ASG_NODE_H

#include <stdbool.h>
#include <sys/types.h>

#include "text.h"

/* The path of a Node that the core accepts; NULL when there is none. */
char *find_node(const char *given, const char *bundle, asg_error **error);

char *find_bundle(const char *given, asg_error **error);

/* Whether the core accepts the SQLite of this Node, given as it tells its version. */
bool node_is_accepted(const char *version, bool has_driver);

/* That of this process without NODE_OPTIONS, and with a folder in which Node keeps what it compiled. */
char **child_environment(void);
void free_environment(char **environment);

/* Starts a program in a session of its own; a standard stream of -1 is /dev/null. Gives an error number. */
int child_spawn(pid_t *pid, const char *program, char *const arguments[], char *const environment[], const int standard[3]);

/* Two connected descriptors that no other child inherits; what is written to a closed socket raises no signal. */
bool open_pair(int pair[2], bool is_socket);
void set_nonblocking(int fd);

#endif
