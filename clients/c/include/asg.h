/*
 * asg.h: the state of agents, in a history that says who, why and on whose authority.
 *
 * A client starts the core of AgentStateGraph as a child process and talks to it over pipes, or talks to a running server. docs/c.md
 * explains it; docs/operations.md lists the operations, with their fields and results.
 *
 * Every function but asg_close and asg_stream_close may be called by many threads at once.
 */
#ifndef ASG_H
#define ASG_H

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define ASG_API __attribute__((visibility("default")))
#else
#define ASG_API
#endif

#define ASG_VERSION "0.1.0"

typedef struct asg asg;
typedef struct asg_stream asg_stream;

/* Why a call failed. Texts are UTF-8; those that do not apply are NULL. asg_error_free frees it. */
typedef struct asg_error {
  char *code;    /* stable, to branch on: "path-not-found", "outcome-unknown" */
  char *kind;    /* "usage", "not-found", "conflict", "unavailable", … */
  char *message; /* for people */
  char *hint;    /* what to do about it */
  char *data;    /* particulars of the code, as JSON */
  char *key;     /* the idempotency key of a write whose outcome is unknown */
} asg_error;

/* Each member may be NULL. */
typedef struct asg_options {
  const char *agent;  /* the agent of calls that name none; a server knows it by the key */
  const char *mode;   /* "write", "read-only" or "propose"; on a server the key decides */
  const char *token;  /* of a server: its token, or the key of a principal */
  const char *node;   /* the Node to use, before ASG_NODE and the PATH */
  const char *bundle; /* the core, asg-rpc.mjs, before ASG_BUNDLE and the installed one */
} asg_options;

/* What asg_next found. */
enum { ASG_FAILED = -1, ASG_TIMEOUT = 0, ASG_ITEM = 1, ASG_END = 2 };

/*
 * Opens a store: a file, a URL such as redis://host, the address of a server (http://host:port), or NULL for a store in memory.
 * `options` and `error` may be NULL. NULL when it fails.
 */
ASG_API asg *asg_open(const char *address, const asg_options *options, asg_error **error);

/* Lets the core finish what it accepted, and frees the client. No other thread may use it any more; its streams are closed first. */
ASG_API void asg_close(asg *client);

/*
 * Makes a call. `params` is a JSON object with the fields of the operation, `caller` one that says who calls (agent, key, session,
 * trace, client, mode); both may be NULL. The result is JSON, for asg_free. NULL when it fails.
 */
ASG_API char *asg_call(asg *client, const char *method, const char *params, const char *caller, asg_error **error);

/* Begins a stream: "watch", "export" or "export_epoch". What is changed after it returns is among the events of a watch. */
ASG_API asg_stream *asg_watch(asg *client, const char *method, const char *params, const char *caller, asg_error **error);

/*
 * Waits for the next item: for at most `timeout_ms` milliseconds, or without an end when that is negative. With ASG_ITEM, `*item` is
 * JSON for asg_free. One thread at a time reads a stream.
 */
ASG_API int asg_next(asg_stream *stream, int timeout_ms, char **item, asg_error **error);

ASG_API void asg_stream_close(asg_stream *stream);

ASG_API void asg_free(void *memory);
ASG_API void asg_error_free(asg_error *error);
ASG_API const char *asg_version(void);

#ifdef __cplusplus
}
#endif
#endif
