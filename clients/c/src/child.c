#define _GNU_SOURCE
#include "child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "node.h"

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

static void close_pair(const int pair[2]) {
  if (pair[0] >= 0) close(pair[0]);
  if (pair[1] >= 0) close(pair[1]);
}

int child_spawn(pid_t *pid, const char *program, char *const arguments[], char *const environment[], const int standard[3]) {
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

bool child_start(child *started, const char *node, const char *bundle, asg_error **error) {
  *started = (child){0, -1, -1, -1};
  char *file = find_bundle(bundle, error);
  char *program = file == NULL ? NULL : find_node(node, file, error);
  if (program == NULL) {
    free(file);
    return false;
  }
  int in[2] = {-1, -1}, out[2] = {-1, -1}, err[2] = {-1, -1};
  int failed = open_pair(in, true) && open_pair(out, false) && open_pair(err, false) ? 0 : errno;
  char parent[24];
  snprintf(parent, sizeof parent, "%ld", (long)getpid());
  char *arguments[] = {program, "--disable-warning=ExperimentalWarning", file, "--parent", parent, NULL};
  char **environment = child_environment();
  if (failed == 0) failed = child_spawn(&started->pid, program, arguments, environment, (int[]){in[0], out[1], err[1]});
  free_environment(environment);
  if (failed == 0) {
    close(in[0]);
    close(out[1]);
    close(err[1]);
    started->in = in[1];
    started->out = out[0];
    started->err = err[0];
    set_nonblocking(started->in);
    set_nonblocking(started->out);
    set_nonblocking(started->err);
  } else {
    close_pair(in);
    close_pair(out);
    close_pair(err);
    started->pid = 0;
    fail(error, "core-died", "unavailable", "Look at the limits of processes and open files.", "The core cannot be started with %s: %s.", program, strerror(failed));
  }
  free(program);
  free(file);
  return failed == 0;
}

void child_drop(child *of) {
  for (int n = 0; n < 3; n++) {
    int *fd = n == 0 ? &of->in : n == 1 ? &of->out : &of->err;
    if (*fd >= 0) close(*fd);
    *fd = -1;
  }
}

/* Whether the process has ended. Where the program ignores SIGCHLD, or waits for every process, somebody else has waited for it. */
static bool is_reaped(pid_t pid, int flags) {
  for (;;) {
    pid_t found = waitpid(pid, NULL, flags);
    if (found == pid || (found < 0 && errno == ECHILD)) return true;
    if (found == 0 || errno != EINTR) return false;
  }
}

void child_kill(child *of) {
  child_drop(of);
  /* A process that was waited for could be another one by now. */
  if (of->pid > 0 && !is_reaped(of->pid, WNOHANG)) {
    kill(of->pid, SIGKILL);
    is_reaped(of->pid, 0);
  }
  of->pid = 0;
}

void child_end(child *of) {
  if (of->pid <= 0) return;
  if (of->in >= 0) close(of->in);
  of->in = -1;
  char rest[4096];
  struct timespec now, end;
  clock_gettime(CLOCK_MONOTONIC, &end);
  end.tv_sec += 5;
  struct pollfd streams[] = {{of->out, POLLIN, 0}, {of->err, POLLIN, 0}};
  /* Its output is read, so that it does not wait for us. */
  while (streams[0].fd >= 0) {
    clock_gettime(CLOCK_MONOTONIC, &now);
    long left = (end.tv_sec - now.tv_sec) * 1000 + (end.tv_nsec - now.tv_nsec) / 1000000;
    if (left <= 0) break;
    if (poll(streams, 2, (int)left) < 0 && errno != EINTR) break;
    for (int n = 0; n < 2; n++) {
      if (streams[n].revents == 0) continue;
      ssize_t got = read(streams[n].fd, rest, sizeof rest);
      if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR)) streams[n].fd = -1;
    }
  }
  if (streams[0].fd >= 0) {
    child_kill(of);
    return;
  }
  child_drop(of);
  is_reaped(of->pid, 0);
  of->pid = 0;
}
