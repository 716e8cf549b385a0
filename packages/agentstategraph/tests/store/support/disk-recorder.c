/* Records what a process does to the files of one folder, so that a test can play back what a loss of power leaves of it.
 *
 * It is loaded before the C library. DISK_FOLDER names the folder, DISK_LOG the file that takes the records. A record is a line of
 * "kind inode offset length path" and then `length` bytes. Writes are recorded before they are made and syncs after, so no record
 * claims more than was on the disk. What is written to the standard output is what the process has acknowledged. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static int log_file = -1;
static char folder[PATH_MAX];
static __thread int is_inside;

__attribute__((constructor)) static void begin(void) {
  const char *named = getenv("DISK_FOLDER"), *log = getenv("DISK_LOG");
  if (named == NULL || log == NULL || realpath(named, folder) == NULL) return;
  is_inside = 1;
  log_file = REAL(open)(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  is_inside = 0;
}

/* The index of the log is made anew when a store is opened; nothing of it counts. */
static int counts(const char *path) {
  size_t length = strlen(path);
  if (length > 4 && strcmp(path + length - 4, "-shm") == 0) return 0;
  return strncmp(path, folder, strlen(folder)) == 0;
}

static void record(char kind, unsigned long inode, long long offset, const void *bytes, size_t length, const char *path) {
  char line[PATH_MAX + 100];
  int size = snprintf(line, sizeof line, "%c %lu %lld %zu %s\n", kind, inode, offset, length, path);
  struct iovec parts[] = {{line, (size_t)size}, {(void *)bytes, length}};
  if (REAL(writev)(log_file, parts, 2) != (ssize_t)(size + length)) abort();
}

/* The path of an open file in the folder, and its inode; 0 for any other. */
static int find(int fd, char path[PATH_MAX], struct stat *at) {
  char link[64];
  if (log_file < 0 || fd == log_file || is_inside) return 0;
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, PATH_MAX - 1);
  if (length <= 0) return 0;
  path[length] = 0;
  return counts(path) && fstat(fd, at) == 0;
}

static void wrote(int fd, const void *bytes, size_t length, long long offset) {
  char path[PATH_MAX];
  struct stat at;
  if (fd == 1 && log_file >= 0) record('a', 0, 0, bytes, length, "-");
  else if (find(fd, path, &at) && S_ISREG(at.st_mode)) {
    int flags = fcntl(fd, F_GETFL);
    if (offset < 0) offset = flags & O_APPEND ? at.st_size : lseek(fd, 0, SEEK_CUR);
    record('w', at.st_ino, offset, bytes, length, "-");
  }
}

static void wrote_parts(int fd, const struct iovec *parts, int count, long long offset) {
  char path[PATH_MAX];
  struct stat at;
  if (fd != 1 && (!find(fd, path, &at) || !S_ISREG(at.st_mode))) return;
  size_t length = 0;
  for (int i = 0; i < count; i++) length += parts[i].iov_len;
  char *bytes = malloc(length + 1);
  if (bytes == NULL) abort();
  length = 0;
  for (int i = 0; i < count; length += parts[i++].iov_len) memcpy(bytes + length, parts[i].iov_base, parts[i].iov_len);
  wrote(fd, bytes, length, offset);
  free(bytes);
}

static void synced(int fd) {
  char path[PATH_MAX];
  struct stat at;
  if (find(fd, path, &at)) record(S_ISDIR(at.st_mode) ? 'd' : 's', at.st_ino, 0, NULL, 0, "-");
}

static void resized(int fd, long long size) {
  char path[PATH_MAX];
  struct stat at;
  if (find(fd, path, &at)) record('t', at.st_ino, size, NULL, 0, "-");
}

static int opened(int fd, int flags) {
  char path[PATH_MAX];
  struct stat at;
  if (fd >= 0 && flags & (O_CREAT | O_TRUNC) && find(fd, path, &at) && S_ISREG(at.st_mode)) {
    record('o', at.st_ino, 0, NULL, 0, path);
    if (flags & O_TRUNC) record('t', at.st_ino, 0, NULL, 0, "-");
  }
  return fd;
}

/* Names are recorded by their whole paths; the tests use no others. */
static void renamed(char kind, const char *from, const char *to) {
  if (log_file >= 0 && (counts(from) || counts(to))) record(kind, 0, 0, from, strlen(from), to);
}

#define OPEN(name)                                        \
  int name(const char *path, int flags, ...) {            \
    va_list more;                                         \
    va_start(more, flags);                                \
    int mode = flags & O_CREAT ? va_arg(more, int) : 0;   \
    va_end(more);                                         \
    return opened(REAL(name)(path, flags, mode), flags);  \
  }
OPEN(open)
OPEN(open64)

#define PWRITE(name, offset_type)                                                 \
  ssize_t name(int fd, const void *bytes, size_t length, offset_type offset) {    \
    wrote(fd, bytes, length, offset);                                             \
    return REAL(name)(fd, bytes, length, offset);                                 \
  }
PWRITE(pwrite, off_t)
PWRITE(pwrite64, off64_t)

#define PWRITEV(name, offset_type)                                                    \
  ssize_t name(int fd, const struct iovec *parts, int count, offset_type offset) {    \
    wrote_parts(fd, parts, count, offset);                                            \
    return REAL(name)(fd, parts, count, offset);                                      \
  }
PWRITEV(pwritev, off_t)
PWRITEV(pwritev64, off64_t)

ssize_t write(int fd, const void *bytes, size_t length) {
  wrote(fd, bytes, length, -1);
  return REAL(write)(fd, bytes, length);
}

ssize_t writev(int fd, const struct iovec *parts, int count) {
  wrote_parts(fd, parts, count, -1);
  return REAL(writev)(fd, parts, count);
}

#define RESIZE(name, offset_type)            \
  int name(int fd, offset_type size) {       \
    resized(fd, size);                       \
    return REAL(name)(fd, size);             \
  }
RESIZE(ftruncate, off_t)
RESIZE(ftruncate64, off64_t)

#define SYNC(name)                   \
  int name(int fd) {                 \
    int result = REAL(name)(fd);     \
    if (result == 0) synced(fd);     \
    return result;                   \
  }
SYNC(fsync)
SYNC(fdatasync)

int rename(const char *from, const char *to) {
  int result = REAL(rename)(from, to);
  if (result == 0) renamed('r', from, to);
  return result;
}

int link(const char *from, const char *to) {
  int result = REAL(link)(from, to);
  if (result == 0) renamed('l', from, to);
  return result;
}

#define REMOVE(name)                                   \
  int name(const char *path) {                         \
    int result = REAL(name)(path);                     \
    if (result == 0) renamed('u', path, "-");          \
    return result;                                     \
  }
REMOVE(unlink)
REMOVE(remove)
