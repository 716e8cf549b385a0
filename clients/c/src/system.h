/*
 * What differs between systems: descriptors, processes, folders. POSIX is in system_posix.c, Windows in system_windows.c, which was
 * compiled and reviewed, and not run. It knows nothing of Node or of messages.
 *
 * On Windows every descriptor is a socket, because only sockets can be polled there; threads copy between them and the pipes of a
 * process, and a process is named by its handle.
 */
#ifndef ASG_SYSTEM_H
#define ASG_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#ifdef _WIN32
#include <winsock2.h>
#include <ws2tcpip.h>
#define PATH_SEPARATORS ";"
#define NODE_NAME "/node.exe"
#else
#include <netdb.h>
#include <poll.h>
#include <sys/socket.h>
#define PATH_SEPARATORS ":"
#define NODE_NAME "/node"
#endif

/* As `read`, `write` and `close`, with their results and errno; a write to a closed socket raises no signal. */
ssize_t fd_read(int fd, void *bytes, size_t count);
ssize_t fd_write(int fd, const void *bytes, size_t count);
ssize_t fd_send(int fd, const void *bytes, size_t count);
void fd_close(int fd);
int fd_poll(struct pollfd *looked, int count, int timeout_ms);

/* Two connected descriptors that no other child inherits. */
bool open_pair(int pair[2], bool is_socket);
void set_nonblocking(int fd);

/* A connected socket to an address, or -1 with errno. */
int connect_to(const struct addrinfo *address);

/* Starts a program in a session of its own; a standard stream of -1 is the null device. Gives an error number. */
int process_start(pid_t *pid, const char *program, char *const arguments[], char *const environment[], const int standard[3]);
/* Whether the process has ended; waits for it when told to. Waits for no other. */
bool process_is_over(pid_t pid, bool waits);
void process_kill(pid_t pid);

/* At most 256 bytes that nobody can guess. */
bool random_bytes(void *bytes, size_t count);

char *real_path(const char *path);
/* Makes a folder that is this user's alone; whether it is. */
bool make_private_folder(const char *path);
/* Where programs of this user keep what can be made again, or NULL. */
char *cache_folder(void);
char **environment_of_process(void);

#endif
