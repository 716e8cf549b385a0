/* Makes the calls of a file on a store; fixtures/clients/README.md says what a player is. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "asg.h"

int main(int count, char **arguments) {
  if (count != 4) return 2;
  asg_error *error = NULL;
  bool is_served = strncmp(arguments[1], "http", 4) == 0;
  asg_options options = is_served ? (asg_options){.token = getenv("ASG_TOKEN")} : (asg_options){.agent = arguments[3]};
  asg *db = asg_open(arguments[1], &options, &error);
  FILE *calls = fopen(arguments[2], "r");
  if (db == NULL || calls == NULL) {
    fprintf(stderr, "%s\n", error == NULL ? "no calls" : error->message);
    return 1;
  }
  char *line = NULL;
  size_t room = 0;
  while (getline(&line, &room, calls) > 0) {
    char *params = strchr(line, ' ');
    if (params == NULL) continue;
    *params++ = 0;
    char *result = asg_call(db, line, params, NULL, &error);
    if (result != NULL) printf("%s\n", result);
    else if (strcmp(error->code, "outcome-unknown") != 0) printf("{\"error\":\"%s\"}\n", error->code);
    else return 1;
    asg_free(result);
    asg_error_free(error);
  }
  free(line);
  fclose(calls);
  asg_close(db);
  return 0;
}
