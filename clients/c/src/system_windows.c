#ifdef _WIN32
#define _CRT_RAND_S
#include "system.h"

#include <direct.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>

#include "text.h"

enum { COPIED_BYTES = 64 * 1024 };

static bool start_sockets(void) {
  static volatile LONG is_started;
  WSADATA data;
  return InterlockedCompareExchange(&is_started, 1, 0) != 0 || WSAStartup(MAKEWORD(2, 2), &data) == 0;
}

/* The last error of a socket as errno says it. */
static ssize_t told(int result) {
  if (result != SOCKET_ERROR) return result;
  int failed = WSAGetLastError();
  errno = failed == WSAEWOULDBLOCK ? EAGAIN : failed == WSAEINTR ? EINTR : failed == WSAECONNREFUSED ? ECONNREFUSED : EIO;
  return -1;
}

static int limited(size_t count) { return count > INT32_MAX ? INT32_MAX : (int)count; }

ssize_t fd_read(int fd, void *bytes, size_t count) { return told(recv((SOCKET)fd, bytes, limited(count), 0)); }
ssize_t fd_send(int fd, const void *bytes, size_t count) { return told(send((SOCKET)fd, bytes, limited(count), 0)); }
ssize_t fd_write(int fd, const void *bytes, size_t count) { return fd_send(fd, bytes, count); }
void fd_close(int fd) { closesocket((SOCKET)fd); }

int fd_poll(struct pollfd *looked, int count, int timeout_ms) {
  /* WSAPoll fails where nothing can be waited for, and tells of descriptors that are left out. */
  struct pollfd meant[8];
  int places[8], kept = 0;
  for (int n = 0; n < count && n < 8; n++) {
    looked[n].revents = 0;
    if (looked[n].fd == INVALID_SOCKET) continue;
    places[kept] = n;
    meant[kept++] = looked[n];
  }
  int found = (int)told(WSAPoll(meant, (ULONG)kept, timeout_ms));
  for (int n = 0; n < kept; n++) looked[places[n]].revents = meant[n].revents;
  return found;
}

/* A TCP connection of this process with itself, which no other process can take the place of. */
bool open_pair(int pair[2], bool is_socket) {
  (void)is_socket;
  pair[0] = pair[1] = -1;
  if (!start_sockets()) return false;
  struct sockaddr_in place = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)}, peer = {0}, own = {0};
  int length = sizeof place, sizes[2] = {sizeof peer, sizeof own};
  SOCKET listener = WSASocketW(AF_INET, SOCK_STREAM, 0, NULL, 0, WSA_FLAG_OVERLAPPED | WSA_FLAG_NO_HANDLE_INHERIT);
  SOCKET caller = WSASocketW(AF_INET, SOCK_STREAM, 0, NULL, 0, WSA_FLAG_OVERLAPPED | WSA_FLAG_NO_HANDLE_INHERIT);
  SOCKET called = INVALID_SOCKET;
  bool is_made = listener != INVALID_SOCKET && caller != INVALID_SOCKET && bind(listener, (struct sockaddr *)&place, length) == 0 &&
                 getsockname(listener, (struct sockaddr *)&place, &length) == 0 && listen(listener, 1) == 0 &&
                 connect(caller, (struct sockaddr *)&place, length) == 0 &&
                 (called = accept(listener, (struct sockaddr *)&peer, &sizes[0])) != INVALID_SOCKET &&
                 getsockname(caller, (struct sockaddr *)&own, &sizes[1]) == 0 && own.sin_port == peer.sin_port;
  if (listener != INVALID_SOCKET) closesocket(listener);
  if (!is_made) {
    if (caller != INVALID_SOCKET) closesocket(caller);
    if (called != INVALID_SOCKET) closesocket(called);
    errno = EMFILE;
    return false;
  }
  setsockopt(caller, IPPROTO_TCP, TCP_NODELAY, (const char *)&(BOOL){TRUE}, sizeof(BOOL));
  setsockopt(called, IPPROTO_TCP, TCP_NODELAY, (const char *)&(BOOL){TRUE}, sizeof(BOOL));
  SetHandleInformation((HANDLE)called, HANDLE_FLAG_INHERIT, 0);
  pair[0] = (int)caller;
  pair[1] = (int)called;
  return true;
}

void set_nonblocking(int fd) { ioctlsocket((SOCKET)fd, FIONBIO, &(u_long){1}); }

int connect_to(const struct addrinfo *address) {
  if (!start_sockets()) return -1;
  SOCKET made = WSASocketW(address->ai_family, address->ai_socktype, address->ai_protocol, NULL, 0, WSA_FLAG_OVERLAPPED | WSA_FLAG_NO_HANDLE_INHERIT);
  if (made == INVALID_SOCKET) return (int)told(SOCKET_ERROR);
  if (connect(made, address->ai_addr, (int)address->ai_addrlen) == 0) return (int)made;
  told(SOCKET_ERROR);
  closesocket(made);
  return -1;
}

/* What a thread copies, in one direction, until one end is closed; then it closes both. */
typedef struct copying {
  HANDLE pipe;
  SOCKET socket;
  bool is_to_pipe;
} copying;

static DWORD WINAPI copy(void *given) {
  copying *self = given;
  char *bytes = malloc(COPIED_BYTES);
  for (bool goes_on = bytes != NULL; goes_on;) {
    DWORD moved = 0;
    if (self->is_to_pipe) {
      int got = recv(self->socket, bytes, COPIED_BYTES, 0);
      goes_on = got > 0;
      for (DWORD at = 0; goes_on && at < (DWORD)got; at += moved) goes_on = WriteFile(self->pipe, bytes + at, (DWORD)got - at, &moved, NULL);
    } else {
      goes_on = ReadFile(self->pipe, bytes, COPIED_BYTES, &moved, NULL) && moved > 0;
      for (DWORD at = 0; goes_on && at < moved;) {
        int sent = send(self->socket, bytes + at, (int)(moved - at), 0);
        goes_on = sent > 0;
        if (goes_on) at += (DWORD)sent;
      }
    }
  }
  CloseHandle(self->pipe);
  closesocket(self->socket);
  free(bytes);
  free(self);
  return 0;
}

/* The end of a pipe for a process; the other end is copied to and from a socket of ours, which from then on is the thread's. */
static HANDLE end_for_process(int fd, bool is_input) {
  SECURITY_ATTRIBUTES inherited = {.nLength = sizeof inherited, .bInheritHandle = TRUE};
  if (fd < 0) return CreateFileW(L"NUL", GENERIC_READ | GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_WRITE, &inherited, OPEN_EXISTING, 0, NULL);
  HANDLE reading, writing;
  if (!CreatePipe(&reading, &writing, &inherited, COPIED_BYTES)) return INVALID_HANDLE_VALUE;
  HANDLE ours = is_input ? writing : reading, theirs = is_input ? reading : writing;
  SetHandleInformation(ours, HANDLE_FLAG_INHERIT, 0);
  WSAPROTOCOL_INFOW shared;
  copying *work = malloc(sizeof *work);
  /* The caller closes its descriptor, as after a spawn elsewhere. */
  SOCKET own = work == NULL || WSADuplicateSocketW((SOCKET)fd, GetCurrentProcessId(), &shared) != 0
                   ? INVALID_SOCKET
                   : WSASocketW(FROM_PROTOCOL_INFO, FROM_PROTOCOL_INFO, FROM_PROTOCOL_INFO, &shared, 0, WSA_FLAG_OVERLAPPED | WSA_FLAG_NO_HANDLE_INHERIT);
  HANDLE thread = NULL;
  if (own != INVALID_SOCKET) {
    *work = (copying){ours, own, is_input};
    thread = CreateThread(NULL, 0, copy, work, 0, NULL);
  }
  if (thread != NULL) {
    CloseHandle(thread);
    return theirs;
  }
  if (own != INVALID_SOCKET) closesocket(own);
  free(work);
  CloseHandle(ours);
  CloseHandle(theirs);
  return INVALID_HANDLE_VALUE;
}

static wchar_t *wide(const char *bytes, int length) {
  int count = MultiByteToWideChar(CP_UTF8, 0, bytes, length, NULL, 0);
  wchar_t *made = asg_grow(NULL, (size_t)(count + 1) * sizeof *made);
  MultiByteToWideChar(CP_UTF8, 0, bytes, length, made, count);
  made[count] = 0;
  return made;
}

/* An argument as the C runtime of the process takes it apart again. */
static void add_argument(text *line, const char *argument) {
  text_puts(line, line->length == 0 ? "\"" : " \"");
  size_t slashes = 0;
  for (const char *at = argument;; at++) {
    if (*at == '\\') {
      slashes++;
      continue;
    }
    for (size_t n = *at == 0 || *at == '"' ? slashes * 2 : slashes; n > 0; n--) text_puts(line, "\\");
    slashes = 0;
    if (*at == 0) break;
    if (*at == '"') text_puts(line, "\\");
    text_add(line, at, 1);
  }
  text_puts(line, "\"");
}

int process_start(pid_t *pid, const char *program, char *const arguments[], char *const environment[], const int standard[3]) {
  text line = {0}, block = {0};
  for (char *const *at = arguments; *at != NULL; at++) add_argument(&line, *at);
  for (char *const *at = environment; *at != NULL; at++) text_add(&block, *at, strlen(*at) + 1);
  text_add(&block, "", 1);
  wchar_t *wide_program = wide(program, -1), *wide_line = wide(line.bytes, -1), *wide_block = wide(block.bytes, (int)block.length);
  HANDLE ends[3];
  for (int n = 0; n < 3; n++) ends[n] = end_for_process(standard[n], n == 0);
  bool has_ends = ends[0] != INVALID_HANDLE_VALUE && ends[1] != INVALID_HANDLE_VALUE && ends[2] != INVALID_HANDLE_VALUE;
  /* No other child inherits what this one does: only the listed handles are passed on. */
  SIZE_T size = 0;
  InitializeProcThreadAttributeList(NULL, 1, 0, &size);
  STARTUPINFOEXW start = {.StartupInfo = {.cb = sizeof start, .dwFlags = STARTF_USESTDHANDLES, .hStdInput = ends[0], .hStdOutput = ends[1], .hStdError = ends[2]}};
  start.lpAttributeList = asg_grow(NULL, size);
  bool is_listed = InitializeProcThreadAttributeList(start.lpAttributeList, 1, 0, &size) != 0;
  PROCESS_INFORMATION made;
  /* A group of its own without a window: Ctrl-C in the console reaches this program alone. */
  DWORD flags = CREATE_NEW_PROCESS_GROUP | CREATE_NO_WINDOW | CREATE_UNICODE_ENVIRONMENT | EXTENDED_STARTUPINFO_PRESENT;
  bool is_started = has_ends && is_listed &&
                    UpdateProcThreadAttribute(start.lpAttributeList, 0, PROC_THREAD_ATTRIBUTE_HANDLE_LIST, ends, sizeof ends, NULL, NULL) &&
                    CreateProcessW(wide_program, wide_line, NULL, NULL, TRUE, flags, wide_block, NULL, &start.StartupInfo, &made);
  if (is_listed) DeleteProcThreadAttributeList(start.lpAttributeList);
  for (int n = 0; n < 3; n++)
    if (ends[n] != INVALID_HANDLE_VALUE) CloseHandle(ends[n]);
  free(start.lpAttributeList);
  free(wide_program);
  free(wide_line);
  free(wide_block);
  text_clear(&line);
  text_clear(&block);
  if (!is_started) return ENOENT;
  CloseHandle(made.hThread);
  *pid = (pid_t)(intptr_t)made.hProcess;
  return 0;
}

bool process_is_over(pid_t pid, bool waits) {
  HANDLE process = (HANDLE)(intptr_t)pid;
  if (WaitForSingleObject(process, waits ? INFINITE : 0) != WAIT_OBJECT_0) return false;
  CloseHandle(process);
  return true;
}

void process_kill(pid_t pid) { TerminateProcess((HANDLE)(intptr_t)pid, 1); }

bool random_bytes(void *bytes, size_t count) {
  unsigned int chance = 0;
  for (size_t at = 0; at < count; at++) {
    if (rand_s(&chance) != 0) return false;
    ((unsigned char *)bytes)[at] = (unsigned char)chance;
  }
  return true;
}

char *real_path(const char *path) {
  char *found = _fullpath(NULL, path, 0);
  for (char *at = found; at != NULL && *at != 0; at++)
    if (*at == '\\') *at = '/';
  return found;
}

/* Folders below the profile of a user are that user's alone. */
bool make_private_folder(const char *path) { return _mkdir(path) == 0 || errno == EEXIST; }

char *cache_folder(void) {
  const char *local = getenv("LOCALAPPDATA");
  return local == NULL || *local == 0 ? NULL : copy_string(local);
}

char **environment_of_process(void) { return _environ; }
#else
typedef int system_windows_is_not_used;
#endif
