#include "child.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "node.h"
#include "system.h"

static void close_pair(const int pair[2]) {
  if (pair[0] >= 0) fd_close(pair[0]);
  if (pair[1] >= 0) fd_close(pair[1]);
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
  char *arguments[] = {program, "--disable-warning=ExperimentalWarning", "--max-semi-space-size=8", "--heap-growing-percent=100", file, "--parent", parent, NULL};
  char **environment = child_environment();
  if (failed == 0) failed = process_start(&started->pid, program, arguments, environment, (int[]){in[0], out[1], err[1]});
  free_environment(environment);
  if (failed == 0) {
    fd_close(in[0]);
    fd_close(out[1]);
    fd_close(err[1]);
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
    if (*fd >= 0) fd_close(*fd);
    *fd = -1;
  }
}

void child_kill(child *of) {
  child_drop(of);
  /* A process that was waited for could be another one by now. */
  if (of->pid > 0 && !process_is_over(of->pid, false)) {
    process_kill(of->pid);
    process_is_over(of->pid, true);
  }
  of->pid = 0;
}

void child_end(child *of) {
  if (of->pid <= 0) return;
  if (of->in >= 0) fd_close(of->in);
  of->in = -1;
  char rest[4096];
  struct timespec now, end;
  clock_gettime(CLOCK_MONOTONIC, &end);
  end.tv_sec += 5;
  struct pollfd streams[] = {{of->out, POLLIN, 0}, {of->err, POLLIN, 0}};
  /* Its output is read, so that it does not wait for us. */
  while ((int)streams[0].fd >= 0) {
    clock_gettime(CLOCK_MONOTONIC, &now);
    long left = (end.tv_sec - now.tv_sec) * 1000 + (end.tv_nsec - now.tv_nsec) / 1000000;
    if (left <= 0) break;
    if (fd_poll(streams, 2, (int)left) < 0 && errno != EINTR) break;
    for (int n = 0; n < 2; n++) {
      if (streams[n].revents == 0) continue;
      ssize_t got = fd_read((int)streams[n].fd, rest, sizeof rest);
      if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR)) streams[n].fd = -1;
    }
  }
  if ((int)streams[0].fd >= 0) {
    child_kill(of);
    return;
  }
  child_drop(of);
  process_is_over(of->pid, true);
  of->pid = 0;
}
