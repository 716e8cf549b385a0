/* Prints how many calls a second one thread makes on a file: `bench <file> <calls>`. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "asg.h"

static double now(void) {
  struct timespec at;
  clock_gettime(CLOCK_MONOTONIC, &at);
  return (double)at.tv_sec + (double)at.tv_nsec / 1e9;
}

static double per_second(asg *db, const char *method, int calls) {
  double start = now();
  for (int n = 0; n < calls; n++) {
    char params[128];
    if (method[0] == 's') snprintf(params, sizeof params, "{\"path\":\"/cluster/replicas\",\"value\":%d,\"description\":\"Scale\"}", n);
    else snprintf(params, sizeof params, "{\"path\":\"/cluster/replicas\"}");
    char *result = asg_call(db, method, params, NULL, NULL);
    if (result == NULL) abort();
    asg_free(result);
  }
  return calls / (now() - start);
}

int main(int count, char **arguments) {
  double start = now();
  asg *db = asg_open(count > 1 ? arguments[1] : NULL, NULL, NULL);
  int calls = count > 2 ? atoi(arguments[2]) : 3000;
  if (db == NULL) return 1;
  per_second(db, "set", 1);
  per_second(db, "get", 1);
  double opened = now() - start;
  /* So that the core has compiled what it runs. */
  per_second(db, "set", 3000);
  per_second(db, "get", 3000);
  double sets = per_second(db, "set", calls), gets = per_second(db, "get", calls);
  printf("{\"open_ms\":%.0f,\"set\":%.0f,\"get\":%.0f}\n", opened * 1000, sets, gets);
  asg_close(db);
  return 0;
}
