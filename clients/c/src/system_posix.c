#ifndef _WIN32
#define _GNU_SOURCE
#include "system.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __APPLE__
#include <sys/random.h>
#endif

#include "text.h"

#ifndef MSG_NOSIGNAL
#define MSG_NOSIGNAL 0 /* macOS: the socket itself raises none */
#endif

extern char **environ;

ssize_t fd_read(int fd, void *bytes, size_t count) { return read(fd, bytes, count); }
ssize_t fd_write(int fd, const void *bytes, size_t count) { return write(fd, bytes, count); }
ssize_t fd_send(int fd, const void *bytes, size_t count) { return send(fd, bytes, count, MSG_NOSIGNAL); }
void fd_close(int fd) { close(fd); }
int fd_poll(struct pollfd *looked, int count, int timeout_ms) { return poll(looked, (nfds_t)count, timeout_ms); }

/* A descriptor beyond those of the standard streams, so that the child can be given them in any order. */
static int above_standard(int fd) {
  if (fd < 0 || fd > 2) return fd;
  int moved = fcntl(fd, F_DUPFD_CLOEXEC, 3);
  close(fd);
  return moved;
}

bool open_pair(int pair[2], bool is_socket) {
#ifdef __APPLE__
  if ((is_socket ? socketpair(AF_UNIX, SOCK_STREAM, 0, pair) : pipe(pair)) != 0) return false;
  fcntl(pair[0], F_SETFD, FD_CLOEXEC);
  fcntl(pair[1], F_SETFD, FD_CLOEXEC);
  if (is_socket) setsockopt(pair[1], SOL_SOCKET, SO_NOSIGPIPE, &(int){1}, sizeof(int));
#else
  if ((is_socket ? socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) : pipe2(pair, O_CLOEXEC)) != 0) return false;
#endif
  pair[0] = above_standard(pair[0]);
  pair[1] = above_standard(pair[1]);
  return pair[0] >= 0 && pair[1] >= 0;
}

void set_nonblocking(int fd) {
  int flags = fcntl(fd, F_GETFL);
  if (flags >= 0) fcntl(fd, F_SETFL, flags | O_NONBLOCK);
}

int connect_to(const struct addrinfo *address) {
#ifdef SOCK_CLOEXEC
  int fd = socket(address->ai_family, address->ai_socktype | SOCK_CLOEXEC, address->ai_protocol);
#else
  int fd = socket(address->ai_family, address->ai_socktype, address->ai_protocol);
  if (fd >= 0) fcntl(fd, F_SETFD, FD_CLOEXEC);
#endif
  if (fd < 0) return -1;
#ifdef SO_NOSIGPIPE
  setsockopt(fd, SOL_SOCKET, SO_NOSIGPIPE, &(int){1}, sizeof(int));
#endif
  int connected;
  while ((connected = connect(fd, address->ai_addr, address->ai_addrlen)) != 0 && errno == EINTR) {}
  if (connected == 0) return fd;
  int failed = errno;
  close(fd);
  errno = failed;
  return -1;
}

int process_start(pid_t *pid, const char *program, char *const arguments[], char *const environment[], const int standard[3]) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  sigset_t none, all;
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  for (int fd = 0; fd < 3; fd++)
    if (standard[fd] >= 0) posix_spawn_file_actions_adddup2(&actions, standard[fd], fd);
    else posix_spawn_file_actions_addopen(&actions, fd, "/dev/null", O_RDWR, 0);
  /* What this program blocks or ignores is no matter of the core. */
  sigemptyset(&none);
  sigfillset(&all);
  sigdelset(&all, SIGKILL);
  sigdelset(&all, SIGSTOP);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  /* A session of its own: Ctrl-C in the terminal reaches this program alone. */
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSID);
  int failed = posix_spawn(pid, program, &actions, &attributes, arguments, environment);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  return failed;
}

/* Where the program ignores SIGCHLD, or waits for every process, somebody else has waited for it. */
bool process_is_over(pid_t pid, bool waits) {
  for (;;) {
    pid_t found = waitpid(pid, NULL, waits ? 0 : WNOHANG);
    if (found == pid || (found < 0 && errno == ECHILD)) return true;
    if (found == 0 || errno != EINTR) return false;
  }
}

void process_kill(pid_t pid) { kill(pid, SIGKILL); }

bool random_bytes(void *bytes, size_t count) { return getentropy(bytes, count) == 0; }

char *real_path(const char *path) { return realpath(path, NULL); }

bool make_private_folder(const char *path) {
  struct stat found;
  mkdir(path, 0700);
  return stat(path, &found) == 0 && S_ISDIR(found.st_mode) && found.st_uid == getuid() && (found.st_mode & 022) == 0;
}

char *cache_folder(void) {
  const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
  text folder = {0};
  if (cache != NULL && *cache == '/') text_puts(&folder, cache);
#ifdef __APPLE__
  else if (home != NULL && *home == '/') text_format(&folder, "%s/Library/Caches", home);
#else
  else if (home != NULL && *home == '/') text_format(&folder, "%s/.cache", home);
#endif
  else return NULL;
  mkdir(folder.bytes, 0700);
  return text_take(&folder);
}

char **environment_of_process(void) { return environ; }
#else
typedef int system_posix_is_not_used;
#endif
