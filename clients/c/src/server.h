/* A server behind HTTP, without TLS. Each call has a connection of its own. */
#ifndef ASG_SERVER_H
#define ASG_SERVER_H

#include "request.h"

typedef struct server server;
typedef struct server_stream server_stream;

bool is_server_address(const char *address);
/* For what only the key may say. */
void fail_by_key(asg_error **error);
server *server_open(const char *address, const char *token, asg_error **error);
void server_close(server *of);
char *server_call(server *of, const request *made, asg_error **error);
server_stream *server_watch(server *of, const request *made, asg_error **error);
/* As asg_next. */
int server_next(server *of, server_stream *stream, request *made, int timeout_ms, char **item, asg_error **error);
void server_stream_close(server_stream *stream);

#endif
