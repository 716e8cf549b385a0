#include "json.h"

#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 1000 };

static size_t skip_blanks(span json, size_t at) {
  while (at < json.length && (json.at[at] == ' ' || json.at[at] == '\t' || json.at[at] == '\n' || json.at[at] == '\r')) at++;
  return at;
}

static bool is_digit(span json, size_t at) { return at < json.length && json.at[at] >= '0' && json.at[at] <= '9'; }

static int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

/* The four digits of an escape, or -1. */
static int hex_unit(span json, size_t at) {
  int unit = 0;
  for (size_t n = 0; n < 4; n++) {
    int digit = at + n < json.length ? hex_digit(json.at[at + n]) : -1;
    if (digit < 0) return -1;
    unit = unit * 16 + digit;
  }
  return unit;
}

/* The length of the UTF-8 sequence at a place, 0 when it is none. */
static size_t utf8_length(span json, size_t at) {
  unsigned char first = (unsigned char)json.at[at];
  size_t length = first < 0x80 ? 1 : first >= 0xC2 && first < 0xE0 ? 2 : first >= 0xE0 && first < 0xF0 ? 3 : first >= 0xF0 && first < 0xF5 ? 4 : 0;
  if (length == 0 || length > json.length - at) return 0;
  for (size_t n = 1; n < length; n++)
    if (((unsigned char)json.at[at + n] & 0xC0) != 0x80) return 0;
  if (length >= 3) {
    unsigned char second = (unsigned char)json.at[at + 1];
    /* Too long for its character, a surrogate, or beyond the last one. */
    if ((first == 0xE0 && second < 0xA0) || (first == 0xED && second > 0x9F) || (first == 0xF0 && second < 0x90) || (first == 0xF4 && second > 0x8F)) return 0;
  }
  return length;
}

/* Where a value ends, or 0 when there is none at this place. A value never ends at 0. */
static size_t string_end(span json, size_t at) {
  if (at >= json.length || json.at[at] != '"') return 0;
  at++;
  while (at < json.length) {
    unsigned char c = (unsigned char)json.at[at];
    if (c == '"') return at + 1;
    if (c < 0x20) return 0;
    if (c == '\\') {
      if (at + 1 >= json.length) return 0;
      char escaped = json.at[at + 1];
      if (escaped == 'u') {
        if (hex_unit(json, at + 2) < 0) return 0;
        at += 6;
      } else {
        if (escaped == 0 || strchr("\"\\/bfnrt", escaped) == NULL) return 0;
        at += 2;
      }
    } else if (c < 0x80) {
      at++;
    } else {
      size_t length = utf8_length(json, at);
      if (length == 0) return 0;
      at += length;
    }
  }
  return 0;
}

static size_t number_end(span json, size_t at) {
  if (at < json.length && json.at[at] == '-') at++;
  if (!is_digit(json, at)) return 0;
  if (json.at[at] == '0') at++;
  else while (is_digit(json, at)) at++;
  if (at < json.length && json.at[at] == '.') {
    at++;
    if (!is_digit(json, at)) return 0;
    while (is_digit(json, at)) at++;
  }
  if (at < json.length && (json.at[at] == 'e' || json.at[at] == 'E')) {
    at++;
    if (at < json.length && (json.at[at] == '+' || json.at[at] == '-')) at++;
    if (!is_digit(json, at)) return 0;
    while (is_digit(json, at)) at++;
  }
  return at;
}

static size_t word_end(span json, size_t at, const char *word) {
  size_t length = strlen(word);
  return json.length - at >= length && memcmp(json.at + at, word, length) == 0 ? at + length : 0;
}

static size_t value_end(span json, size_t at, int depth);

/* The end of a list or an object. */
static size_t nest_end(span json, size_t at, int depth) {
  bool is_object = json.at[at] == '{';
  char close = is_object ? '}' : ']';
  if (depth >= DEEPEST) return 0;
  at = skip_blanks(json, at + 1);
  if (at < json.length && json.at[at] == close) return at + 1;
  for (;;) {
    if (is_object) {
      at = string_end(json, at);
      if (at == 0) return 0;
      at = skip_blanks(json, at);
      if (at >= json.length || json.at[at] != ':') return 0;
      at = skip_blanks(json, at + 1);
    }
    at = value_end(json, at, depth + 1);
    if (at == 0) return 0;
    at = skip_blanks(json, at);
    if (at >= json.length) return 0;
    if (json.at[at] == close) return at + 1;
    if (json.at[at] != ',') return 0;
    at = skip_blanks(json, at + 1);
  }
}

static size_t value_end(span json, size_t at, int depth) {
  if (at >= json.length) return 0;
  switch (json.at[at]) {
    case '"': return string_end(json, at);
    case '{':
    case '[': return nest_end(json, at, depth);
    case 't': return word_end(json, at, "true");
    case 'f': return word_end(json, at, "false");
    case 'n': return word_end(json, at, "null");
    default: return number_end(json, at);
  }
}

bool json_is_valid(span json) {
  if (json.at == NULL) return false;
  size_t end = value_end(json, skip_blanks(json, 0), 0);
  return end > 0 && skip_blanks(json, end) == json.length;
}

bool json_is_object(span json) {
  size_t at = json.at == NULL ? 0 : skip_blanks(json, 0);
  return json.at != NULL && at < json.length && json.at[at] == '{';
}

bool json_next(span json, size_t *cursor, span *name, span *value) {
  size_t at = *cursor == 0 ? skip_blanks(json, 0) + 1 : skip_blanks(json, *cursor);
  bool is_object = json_is_object(json);
  if (*cursor != 0) {
    if (at >= json.length || json.at[at] != ',') return false;
    at++;
  }
  at = skip_blanks(json, at);
  *name = (span){"", 0};
  if (is_object) {
    size_t end = string_end(json, at);
    if (end == 0) return false;
    *name = (span){json.at + at + 1, end - at - 2};
    at = skip_blanks(json, skip_blanks(json, end) + 1);
  }
  size_t end = value_end(json, at, 0);
  if (end == 0) return false;
  *value = (span){json.at + at, end - at};
  *cursor = end;
  return true;
}

span json_member(span object, const char *name) {
  size_t cursor = 0, length = strlen(name);
  span found, value;
  if (!json_is_object(object)) return (span){NULL, 0};
  while (json_next(object, &cursor, &found, &value))
    if (found.length == length && memcmp(found.at, name, length) == 0) return value;
  return (span){NULL, 0};
}

static void add_character(text *to, unsigned long code) {
  char bytes[4];
  size_t length = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  static const unsigned char marks[] = {0, 0, 0xC0, 0xE0, 0xF0};
  for (size_t n = length - 1; n > 0; n--) {
    bytes[n] = (char)(0x80 | (code & 0x3F));
    code >>= 6;
  }
  bytes[0] = (char)(marks[length] | code);
  text_add(to, bytes, length);
}

char *json_string(span json) {
  if (json.at == NULL || string_end(json, 0) != json.length) return NULL;
  text plain = {0};
  text_puts(&plain, "");
  for (size_t at = 1; at < json.length - 1;) {
    if (json.at[at] != '\\') {
      text_add(&plain, json.at + at++, 1);
      continue;
    }
    char escaped = json.at[at + 1];
    if (escaped != 'u') {
      static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
      text_add(&plain, to + (strchr(from, escaped) - from), 1);
      at += 2;
      continue;
    }
    unsigned long code = (unsigned long)hex_unit(json, at + 2);
    at += 6;
    if (code >= 0xD800 && code < 0xDC00 && json.length - at > 6 && json.at[at] == '\\' && json.at[at + 1] == 'u') {
      int low = hex_unit(json, at + 2);
      if (low >= 0xDC00 && low < 0xE000) {
        code = 0x10000 + ((code - 0xD800) << 10) + ((unsigned long)low - 0xDC00);
        at += 6;
      }
    }
    if (code == 0) {
      text_clear(&plain);
      return NULL;
    }
    add_character(&plain, code >= 0xD800 && code < 0xE000 ? 0xFFFD : code);
  }
  return text_take(&plain);
}

void json_add_string(text *to, const char *string) {
  text_puts(to, "\"");
  for (; *string != 0; string++) {
    unsigned char c = (unsigned char)*string;
    if (c == '"' || c == '\\') text_format(to, "\\%c", c);
    else if (c < 0x20) text_format(to, "\\u%04x", c);
    else text_add(to, string, 1);
  }
  text_puts(to, "\"");
}

/* Line ends are outside of texts in JSON, so a blank says the same. */
static void add_in_line(text *to, span json) {
  size_t from = to->length;
  text_add(to, json.at, json.length);
  for (size_t at = from; at < to->length; at++)
    if (to->bytes[at] == '\n' || to->bytes[at] == '\r') to->bytes[at] = ' ';
}

void json_add_object_with(text *to, span object, const char *name, const char *value) {
  size_t cursor = 0, length = strlen(name);
  span found, inner;
  bool is_first = true;
  text_puts(to, "{");
  while (json_next(object, &cursor, &found, &inner)) {
    if (found.length == length && memcmp(found.at, name, length) == 0) continue;
    text_puts(to, is_first ? "\"" : ",\"");
    text_add(to, found.at, found.length);
    text_puts(to, "\":");
    add_in_line(to, inner);
    is_first = false;
  }
  if (value != NULL) {
    text_format(to, "%s\"%s\":", is_first ? "" : ",", name);
    text_puts(to, value);
  }
  text_puts(to, "}");
}
