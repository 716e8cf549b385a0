#!/usr/bin/env python3
"""Checks a bundle of AgentStateGraph without AgentStateGraph.

One file, Python 3.9 or newer, nothing but the standard library: Ed25519 is below, in integers. It was written from
docs/bundle.md, whose steps it follows in their order, and shares no code with what makes bundles: read it, or write your
own. A bundle is read once, line by line, however large. Keys and the kept head come from you, never from the bundle.
verify.mjs is the same for Node.

  python3 verify.py BUNDLE [--key KEY] [--witness KEY] [--quorum N] [--prior HEAD] [--require LEVELS] [--paths PATHS]
      [--save-head FILE] [--csv FILE] [--html FILE] [--json]
"""

import base64
import datetime
import hashlib
import json
import re
import sys

USAGE = """usage: verify BUNDLE [options]        (BUNDLE is a file, or - for standard input)

  --key KEY          a public key that you got by another way: name+hash+base64, or a file of such lines (repeatable)
  --witness KEY      the same, of a witness (repeatable)
  --quorum N         how many witnesses have to have signed (1)
  --prior FILE       a signed head that you kept from an earlier time
  --require LEVELS   which levels have to be checked: signed,extends,witnessed,authorised
  --paths PATHS      list each change to these paths: /a/b,/c/*
  --save-head FILE   keep the signed head in a new file, for --prior at the next audit
  --csv FILE         write each change as a row of a table, with values and confidence
  --html FILE        write the verdict and each change as a page to read and print
  --json             the verdict for machines

exit codes: 0 what was asked for holds, 1 tampered or malformed, 2 unreadable or wrong usage, 3 could not be checked
"""

MAX_LINE = 16 * 1024 * 1024
MAX_TEXT = 65536
MAX_DEPTH = 256
MAX_WHOLE = 2**53 - 1
# The longest list in the inventory; beyond it only counts are kept, so that memory is bounded for any bundle.
MAX_LISTED = 10000
LEVELS = ['integrity', 'signed', 'extends', 'witnessed', 'authorised']
ACCESS = 'system/access'
GIVEN_IN_REDACTED = set('genesis commit ref epoch key session grant revoke taint erase prune refusal'.split())


class Failure(Exception):
    """A check that failed, by its name in docs/bundle.md."""

    def __init__(self, check, message, about=None):
        super().__init__(message)
        self.check = check
        self.message = message
        self.about = about


class Unusable(Exception):
    """An argument or a file that cannot be used."""


def demand(holds, check, message, about=None):
    if not holds:
        raise Failure(check, message, about)


# --- Texts ------------------------------------------------------------------------------------------------------------


class NotCanonical(ValueError):
    """A text that is not canonical."""


def whole_number(token):
    # ECMAScript prints at most 21 digits without an exponent. Parsing longer ones would only cost time.
    if len(token) > 22:
        raise NotCanonical
    number = int(token)
    return number if abs(number) <= MAX_WHOLE else float(number)


def fraction(token):
    if len(token) > 32:
        raise NotCanonical
    return float(token)


def no_number(_token):
    raise NotCanonical


DECODER = json.JSONDecoder(parse_int=whole_number, parse_float=fraction, parse_constant=no_number)
ENCODER = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(',', ':'), check_circular=False)
NONE = object()


def read_canonical(text, strict):
    """Reads a canonical text; NONE when it is not one. With `strict`, all numbers must be exact integers."""
    try:
        value = DECODER.decode(text)
        has_fractions = has_deep_or_fractions(value)
        if strict and has_fractions:
            return NONE
        # Python's encoder is fast, but prints fractions differently and sorts keys by code points.
        anew = canonical_text(value) if has_fractions or not text.isascii() else ENCODER.encode(value)
    except (ValueError, RecursionError):
        return NONE
    return value if anew == text else NONE


def has_deep_or_fractions(value):
    """Whether a number is not an integer; raises when the value is nested too deeply."""
    found = False
    level = [value]
    for _depth in range(MAX_DEPTH + 1):
        below = []
        for each in level:
            if type(each) is dict:
                below.extend(each.values())
            elif type(each) is list:
                below.extend(each)
            elif type(each) is float:
                found = True
        if not below:
            # An empty container below the last level is too deep as well.
            if _depth == MAX_DEPTH and any(type(each) in (dict, list) for each in level):
                raise NotCanonical
            return found
        level = below
    raise NotCanonical


def utf16(text):
    return text.encode('utf-16-be')


def in_order(keys):
    return sorted(keys, key=utf16)


def canonical_text(value):
    if isinstance(value, dict):
        return '{' + ','.join(canonical_text(key) + ':' + canonical_text(value[key]) for key in in_order(value)) + '}'
    if isinstance(value, list):
        return '[' + ','.join(map(canonical_text, value)) + ']'
    if isinstance(value, float):
        return number_text(value)
    return ENCODER.encode(value)


def number_text(number):
    """A double as ECMAScript prints it: the digits are the same shortest ones, the layout is not."""
    if number != number or number in (float('inf'), float('-inf')):
        raise NotCanonical
    if number == 0:
        return '0'
    sign = '-' if number < 0 else ''
    mantissa, _, exponent = repr(abs(number)).partition('e')
    before, _, after = mantissa.partition('.')
    point = len(before) + int(exponent or 0)
    digits = before + after
    stripped = digits.lstrip('0')
    point -= len(digits) - len(stripped)
    digits = stripped.rstrip('0')
    count = len(digits)
    if count <= point <= 21:
        return sign + digits + '0' * (point - count)
    if 0 < point <= 21:
        return sign + digits[:point] + '.' + digits[point:]
    if -6 < point <= 0:
        return sign + '0.' + '0' * -point + digits
    power = point - 1
    tail = 'e' + ('+' if power > 0 else '-') + str(abs(power))
    return sign + digits[0] + ('.' + digits[1:] if count > 1 else '') + tail


def is_text(value):
    return type(value) is str


def is_texts(value):
    return type(value) is list and all(map(is_text, value))


def is_whole(value):
    return type(value) is int


# 43 characters carry two bits more than 32 bytes; these must be zero.
ID = re.compile('[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]')
HASH = re.compile('[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=')
TIME = re.compile('([0-9]{4})-([0-9]{2})-([0-9]{2})T([0-9]{2}):([0-9]{2}):([0-9]{2})[.][0-9]{3}Z')
DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]


def is_id(value):
    return type(value) is str and ID.fullmatch(value) is not None


def is_ids(value):
    return type(value) is list and all(map(is_id, value))


def is_hash(value):
    return type(value) is str and HASH.fullmatch(value) is not None


def is_hashes(value):
    return type(value) is list and all(map(is_hash, value))


def is_time(value):
    """Whether a value is a time of a moment that exists: not 30 February, not the hour 24."""
    match = TIME.fullmatch(value) if type(value) is str else None
    if match is None:
        return False
    year, month, day, hour, minute, second = map(int, match.groups())
    is_leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    days = 29 if month == 2 and is_leap else DAYS[month - 1] if 1 <= month <= 12 else 0
    return 1 <= day <= days and hour < 24 and minute < 60 and second < 60


def is_one(value):
    return type(value) is int and value == 1


def is_version(value):
    return type(value) is int and value == 2


def is_anything(_value):
    return True


def is_filled(test):
    return lambda value: test(value) and len(value) > 0


def has_fields(value, table):
    """Whether an object has all required fields, and no others than these and the optional ones."""
    required, optional = table
    if type(value) is not dict or any(field not in value for field in required):
        return False
    return all((required.get(field) or optional.get(field, no_field))(each) for field, each in value.items())


def no_field(_value):
    return False


def find_base64(text):
    try:
        data = base64.b64decode(text, validate=True)
    except ValueError:
        return None
    return data if base64.b64encode(data).decode('ascii') == text else None


# --- Hashes and the Merkle tree ---------------------------------------------------------------------------------------


def sha256(data):
    return hashlib.sha256(data).digest()


def id_of(data):
    return base64.urlsafe_b64encode(sha256(data)).decode('ascii').rstrip('=')


def leaf_of(text):
    return sha256(b'\0' + text.encode('utf-8'))


def node_of(left, right):
    return sha256(b'\1' + left + right)


def all_bytes(hashes):
    return [base64.b64decode(each) for each in hashes]


def bits_set(number):
    return bin(number).count('1')


def add_leaf(frontier, size, leaf):
    while size & 1:
        leaf = node_of(frontier.pop(), leaf)
        size >>= 1
    frontier.append(leaf)


def root_of(frontier):
    if not frontier:
        return sha256(b'')
    root = frontier[-1]
    for left in reversed(frontier[:-1]):
        root = node_of(left, root)
    return root


def is_included(leaf, index, size, proof, root):
    """RFC 9162, section 2.1.3.2. Leaves count from 0."""
    if index >= size:
        return False
    last = size - 1
    for step in proof:
        if last == 0:
            return False
        if index & 1 or index == last:
            leaf = node_of(step, leaf)
            while not index & 1 and index > 0:
                index, last = index >> 1, last >> 1
        else:
            leaf = node_of(leaf, step)
        index, last = index >> 1, last >> 1
    return last == 0 and leaf == root


def is_consistent(first, second, first_root, second_root, proof):
    """RFC 9162, section 2.1.4.2, for 1 <= first < second."""
    steps = [first_root] + proof if bits_set(first) == 1 else list(proof)
    if not steps:
        return False
    at, last = first - 1, second - 1
    while at & 1:
        at, last = at >> 1, last >> 1
    one = two = steps[0]
    for step in steps[1:]:
        if last == 0:
            return False
        if at & 1 or at == last:
            one, two = node_of(step, one), node_of(step, two)
            while not at & 1 and at > 0:
                at, last = at >> 1, last >> 1
        else:
            two = node_of(two, step)
        at, last = at >> 1, last >> 1
    return last == 0 and one == first_root and two == second_root


# --- Ed25519 ----------------------------------------------------------------------------------------------------------

P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
ROOT_OF_MINUS_1 = pow(2, (P - 1) // 4, P)
IDENTITY = (0, 1, 1, 0)


def find_point(data):
    """The point that 32 bytes stand for, as (X, Y, Z, T); None when they are not canonical or not on the curve."""
    y = int.from_bytes(data, 'little')
    sign, y = y >> 255, y & (2**255 - 1)
    if y >= P:
        return None
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P != 0:
        x = x * ROOT_OF_MINUS_1 % P
    if (x * x - square) % P != 0 or (x == 0 and sign == 1):
        return None
    if x & 1 != sign:
        x = P - x
    return (x, y, 1, x * y % P)


def add_points(one, two):
    a = (one[1] - one[0]) * (two[1] - two[0]) % P
    b = (one[1] + one[0]) * (two[1] + two[0]) % P
    c = 2 * one[3] * two[3] * D % P
    d = 2 * one[2] * two[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return (e * f % P, g * h % P, f * g % P, e * h % P)


def times(scalar, point):
    total = IDENTITY
    while scalar > 0:
        if scalar & 1:
            total = add_points(total, point)
        point = add_points(point, point)
        scalar >>= 1
    return total


def is_same_point(one, two):
    return (one[0] * two[2] - two[0] * one[2]) % P == 0 and (one[1] * two[2] - two[1] * one[2]) % P == 0


BASE = find_point((4 * pow(5, P - 2, P) % P).to_bytes(32, 'little'))


def is_signature(public_key, message, signature):
    """Ed25519, strict: S reduced, points canonical and not of small order, no cofactor."""
    if len(public_key) != 32 or len(signature) != 64:
        return False
    key, nonce = find_point(public_key), find_point(signature[:32])
    scalar = int.from_bytes(signature[32:], 'little')
    if key is None or nonce is None or scalar >= ORDER:
        return False
    if any(is_same_point(times(8, point), IDENTITY) for point in (key, nonce)):
        return False
    challenge = int.from_bytes(hashlib.sha512(signature[:32] + public_key + message).digest(), 'little') % ORDER
    return is_same_point(times(scalar, BASE), add_points(nonce, times(challenge, key)))


# --- Signed heads -----------------------------------------------------------------------------------------------------

SPACES = '\\u0000-\\u0020\\u007f-\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff'
NAME = '[^+' + SPACES + ']+'
HEAD = re.compile('([^\\n]+)\\n(0|[1-9][0-9]{0,15})\\n([^\\n]+)\\n\\n((?:\u2014 ' + NAME + ' [^ \\n]+\\n)*)')
KEY = re.compile('(' + NAME + ')\\+([0-9a-f]{8})\\+([A-Za-z0-9+/=]+)')


class Head:
    """A signed head."""

    def __init__(self, origin, size, root, body, signatures):
        self.origin, self.size, self.root, self.body, self.signatures = origin, size, root, body, signatures


class Key:
    """A public key: of a log (kind 1), or of a witness (kind 4)."""

    def __init__(self, text, name, digest, data):
        self.text, self.name, self.hash, self.kind, self.public_key = text, name, digest, data[0], data[1:]
        self.label = name + '+' + digest


def find_head(text):
    """Reads a signed head; None when it is not exactly one."""
    match = HEAD.fullmatch(text)
    if match is None:
        return None
    origin, digits, root, lines = match.groups()
    if not is_hash(root) or int(digits) > MAX_WHOLE:
        return None
    signatures = []
    for line in lines.split('\n')[:-1]:
        _dash, name, encoded = line.split(' ')
        data = find_base64(encoded)
        if data is None or len(data) < 5:
            return None
        signatures.append((name, data[:4].hex(), data[4:]))
    body = '\n'.join([origin, digits, root, ''])
    return Head(origin, int(digits), base64.b64decode(root), body, signatures)


def find_key(text):
    """Reads a key of the form name+hash+base64; None when it is not one, or of another kind."""
    match = KEY.fullmatch(text)
    if match is None:
        return None
    name, digest, encoded = match.groups()
    data = find_base64(encoded)
    if data is None or len(data) != 33 or data[0] not in (1, 4):
        return None
    if sha256(name.encode('utf-8') + b'\n' + data)[:4].hex() != digest:
        return None
    return Key(text, name, digest, data)


def lines_of(head, key):
    """The signature lines of a key in a head: whether each is right, and for a witness when it signed."""
    found = []
    for name, digest, data in head.signatures:
        if name != key.name or digest != key.hash:
            continue
        if key.kind == 1:
            found.append((is_signature(key.public_key, head.body.encode('utf-8'), data), None))
        elif len(data) != 72:
            found.append((False, None))
        else:
            time = int.from_bytes(data[:8], 'big')
            message = 'cosignature/v1\ntime %d\n%s' % (time, head.body)
            found.append((is_signature(key.public_key, message.encode('utf-8'), data[8:]), time))
    return found


# --- Paths ------------------------------------------------------------------------------------------------------------


def unescaped(segment):
    return segment.replace('~1', '/').replace('~0', '~')


def find_pattern(text):
    """The segments of a pattern; None when it is not one."""
    if text == '':
        return []
    if not text.startswith('/') or re.search('~(?![01])', text):
        return None
    segments = text[1:].split('/')
    if len(segments) > 1023 or any('*' in segment and segment != '*' for segment in segments):
        return None
    return [unescaped(segment) for segment in segments]


def user_key(stored):
    return stored[1:] if stored.startswith('$') else stored


def stored_key(key):
    return '$' + key if key.startswith('$') else key


# An opening is ALL, or a set of pairs: which pattern, how many of its segments were matched.
ALL = 'all'


def opening_of(pairs, patterns):
    pairs = frozenset(pairs)
    return ALL if any(p == len(patterns[i]) for i, p in pairs) else pairs


def is_within(opening, other):
    return other == ALL or (opening != ALL and opening <= other)


def united(one, other):
    return ALL if one == ALL or other == ALL else one | other


def children_of(node, opening, patterns):
    """The links of a node: each id with its opening."""
    kind = node[0]
    if kind in ('map', 'list'):
        links = list(node[1].items())
    elif kind == 'maps':
        links = [(item[0], item[1]) for item in node[2]]
    elif kind in ('lists', 'texts', 'bytess', 'values'):
        links = [('', item[0]) for item in node[2]]
    else:
        links = []
    if opening == ALL:
        return [(link, ALL) for _, link in links]

    def step(key):
        return opening_of([(i, p + 1) for i, p in opening if key is None or patterns[i][p] in ('*', key)], patterns)

    if kind == 'list':
        return [(link, step(None)) for _, link in links]
    if kind == 'lists':
        return [(link, opening) for _, link in links]
    if kind == 'map':
        return [(link, step(user_key(key))) for key, link in links]
    if kind != 'maps':
        return []
    found = []
    for j, (first, link) in enumerate(links):
        least = b'' if j == 0 else utf16(first)
        beyond = utf16(links[j + 1][0]) if j + 1 < len(links) else None

        def covers(key):
            return least <= utf16(key) and (beyond is None or utf16(key) < beyond)

        is_open = any(patterns[i][p] == '*' or covers(stored_key(patterns[i][p])) for i, p in opening)
        found.append((link, opening if is_open else frozenset()))
    return found


# --- Records, entries, commits, nodes ---------------------------------------------------------------------------------

RECORDS = {
    'header': (
        {
            'type': is_text, 'format': is_text, 'version': is_whole, 'origin': is_text, 'epoch': is_text,
            'from': is_whole, 'to': is_whole, 'profile': is_text,
        },
        {'paths': is_texts},
    ),
    'prior': ({'type': is_text, 'hashes': is_hashes}, {}),
    'since': ({'type': is_text, 'size': is_whole, 'root': is_hash, 'proof': is_hashes}, {}),
    'keychain': (
        {'type': is_text, 'seq': is_whole, 'entry': is_text, 'head': is_text, 'proof': is_hashes},
        {'prior': is_hashes},
    ),
    'checkpoint': ({'type': is_text, 'head': is_text}, {}),
    'access': ({'type': is_text, 'seq': is_whole, 'entry': is_text, 'commit': is_text, 'proof': is_hashes}, {}),
    'entry': ({'type': is_text}, {'entry': is_text, 'leaf': is_hash, 'commit': is_text, 'dropped': is_one}),
    'node': ({'type': is_text, 'node': is_text}, {}),
    'end': ({'type': is_text, 'lines': is_whole, 'digest': is_hash}, {}),
}

# Which types may follow a type.
NEXT = {
    'start': ['header'],
    'header': ['prior'],
    'prior': ['since', 'keychain', 'checkpoint'],
    'since': ['keychain', 'checkpoint'],
    'keychain': ['keychain', 'checkpoint'],
    'checkpoint': ['access', 'entry'],
    'access': ['entry', 'node'],
    'entry': ['entry', 'node', 'end'],
    'node': ['entry', 'node', 'end'],
    'end': [],
}


def is_place(value):
    return value is None or is_whole(value)


def is_move(value):
    return type(value) is list and len(value) == 3 and is_text(value[0]) and is_place(value[1]) and is_place(value[2])


def is_moves(value):
    return type(value) is list and all(map(is_move, value))


def is_intent(value):
    return has_fields(value, INTENT)


def is_request(value):
    return has_fields(value, REQUEST)


def is_confidence(value):
    return is_whole(value) and 0 <= value <= 1000000


ENTRY = (
    {'v': is_version, 'kind': is_text, 'time': is_time, 'agent': is_text, 'moves': is_moves},
    {'commit': is_id, 'pack': is_id, 'changed': is_texts, 'body': is_anything, 'name': is_text,
     'request': is_request},
)
REQUEST = ({'key': is_id, 'digest': is_id}, {})
INTENT = (
    {'id': is_text, 'category': is_text, 'description': is_text},
    {'parent': is_text, 'tags': is_filled(is_texts)},
)
COMMIT = (
    {
        'v': is_version, 'tree': is_id, 'system': is_id, 'parents': is_ids, 'time': is_time, 'agent': is_text,
        'intent': is_intent, 'salt': is_text,
    },
    {
        'drafts': is_filled(is_ids), 'principal': is_text, 'session': is_text, 'reasoning': is_text, 'schema': is_text,
        'trace': is_text, 'authority': is_filled(is_texts), 'confidence': is_confidence, 'detail': is_id,
        'merge': is_anything, 'actors': is_filled(is_texts),
    },
)


def find_entry(text):
    entry = NONE if len(text.encode('utf-8')) > MAX_TEXT else read_canonical(text, True)
    if not has_fields(entry, ENTRY):
        return None
    return entry if ('commit' in entry) == ('pack' in entry) else None


def has_landed(entry):
    """Whether the commit of an entry landed, and is not a draft."""
    own = [ref for ref, _, to in entry['moves'] if to == 0]
    if own:
        return any(ref.startswith(('branch/', 'thread/')) for ref in own)
    body = entry.get('body')
    via = body.get('via') if type(body) is dict else None
    return not (type(via) is dict and via.get('draft') is True)


def is_decision(entry):
    """Whether an entry is a decision about access."""
    return 'commit' in entry and any(ref == ACCESS and is_zero(to) for ref, _, to in entry['moves'])


def is_zero(value):
    return type(value) is int and value == 0


# The prefixes of the refs that a seal lists.
LISTED = ('branch/', 'tag/', 'thread/')


def add_one(counts, name):
    counts[name] = counts.get(name, 0) + 1


def is_tally(value, counts):
    """Whether an object holds exactly these counts."""
    return type(value) is dict and all(map(is_whole, value.values())) and value == counts


def find_commit(text):
    commit = NONE if len(text.encode('utf-8')) > MAX_TEXT else read_canonical(text, True)
    return commit if has_fields(commit, COMMIT) else None


def is_count(value):
    return is_whole(value) and value >= 1


def is_branch(node, is_item):
    return len(node) == 3 and is_count(node[1]) and type(node[2]) is list and node[2] and all(map(is_item, node[2]))


def is_sized(item):
    return type(item) is list and len(item) == 2 and is_id(item[0]) and is_count(item[1])


def is_keyed(item):
    return type(item) is list and len(item) == 3 and is_text(item[0]) and is_id(item[1]) and is_count(item[2])


def is_map_node(node):
    return (
        len(node) == 3 and type(node[1]) is dict and type(node[2]) is dict
        and all(is_id(link) and key not in node[2] for key, link in node[1].items())
    )


PLACE = re.compile('0|[1-9][0-9]{0,15}')


def is_list_node(node):
    if len(node) != 3 or type(node[1]) is not dict or type(node[2]) is not list:
        return False
    for place, link in node[1].items():
        if not is_id(link) or PLACE.fullmatch(place) is None or int(place) >= len(node[2]):
            return False
        if not is_whole(node[2][int(place)]) or node[2][int(place)] != 0:
            return False
    return True


def is_maps_node(node):
    if not is_branch(node, is_keyed):
        return False
    firsts = [utf16(item[0]) for item in node[2]]
    return all(one < other for one, other in zip(firsts, firsts[1:]))


def is_sized_branch(node):
    return is_branch(node, is_sized)


def is_piece(node):
    return len(node) == 2 and is_text(node[1])


SHAPES = {
    'map': is_map_node, 'list': is_list_node, 'maps': is_maps_node, 'lists': is_sized_branch, 'texts': is_sized_branch,
    'bytess': is_sized_branch, 'values': is_sized_branch, 'value': lambda node: len(node) == 2, 'text': is_piece,
    'bytes': is_piece,
}


def find_node(text):
    node = read_canonical(text, False)
    if type(node) is not list or not node or not is_text(node[0]) or node[0] not in SHAPES:
        return None
    return node if SHAPES[node[0]](node) else None


# --- Authority --------------------------------------------------------------------------------------------------------

OPERATOR = 'operator'
# What is opened of access states where not all of them is.
ACCESS_PATTERNS = [['frozen'], ['grants'], ['sessions']]
MAX_LEVELS = 32
MAX_NODES = 1000
MAX_LINKS = 17
MAX_TABLES = 16
MISSING = object()


def find_glob(pattern):
    """The parts of a pattern of places, as (star, key); None when it is not one."""
    if pattern in ('', '/'):
        return []
    if not pattern.startswith('/') or re.search('~(?![01])', pattern):
        return None
    segments = pattern[1:].split('/')
    if any('*' in segment and segment not in ('*', '**') for segment in segments) or segments.count('**') > 8:
        return None
    return [(segment, None) if '*' in segment else ('', unescaped(segment)) for segment in segments]


ANY = ('**', None)


def meets(part, segment):
    return part[0] == '*' or (part[0] == '' and part[1] == segment)


def matches(parts, segments):
    """Whether parts match all segments. Going back to the last '**' is enough."""
    part, place, last_any, any_ends = 0, 0, -1, 0
    while place < len(segments):
        if part < len(parts) and parts[part] == ANY:
            last_any, any_ends = part, place
            part += 1
        elif part < len(parts) and meets(parts[part], segments[place]):
            part, place = part + 1, place + 1
        elif last_any >= 0:
            any_ends += 1
            part, place = last_any + 1, any_ends
        else:
            return False
    return all(each == ANY for each in parts[part:])


SYSTEM = ('_meta', '_plans')


def find_parts(pattern, path):
    """The parts of a pattern; None when it is none, or does not name the part of the system that the path is in."""
    parts = find_glob(pattern)
    if parts is None or (path[:1] and path[0] in SYSTEM and not (parts and parts[0][1] in SYSTEM)):
        return None
    return parts


def means_place(pattern, path):
    """Whether a pattern means a place: the place itself, or something that the place is in."""
    parts = find_parts(pattern, path)
    return parts is not None and matches(parts + [ANY], path)


def touches_place(pattern, path):
    """Whether a pattern means a place, something in it, or something that it is in."""
    parts = find_parts(pattern, path)
    if parts is None:
        return False
    for part, segment in zip(parts, path):
        if part == ANY:
            return True
        if not meets(part, segment):
            return False
    return True


def means_name(pattern, name):
    if pattern == name and '*' not in pattern and '~' not in pattern:
        return True
    parts = None if '' in pattern.split('/') else find_glob('/' + pattern)
    return parts is not None and matches(parts, name.split('/'))


def inline_table(value):
    return {user_key(key): (None, each) for key, each in value.items()} if type(value) is dict else {}


class AccessNodes:
    """The nodes of access states: tables by name, records as values. A child is (link, None), or (None, value) when inline."""

    def __init__(self):
        self.nodes, self.tables = {}, {}

    def table_of(self, child):
        if child is None:
            return {}
        link, value = child
        if link is None:
            return inline_table(value)
        if link not in self.tables:
            table = {}
            self.collect(link, MAX_LEVELS, set(), table)
            if len(self.tables) >= MAX_TABLES:
                del self.tables[next(iter(self.tables))]
            self.tables[link] = table
        return self.tables[link]

    def collect(self, link, levels, seen, table):
        node = self.nodes.get(link)
        if node is None or levels == 0 or link in seen:
            return
        seen.add(link)
        if node[0] == 'maps':
            for item in node[2]:
                self.collect(item[1], levels - 1, seen, table)
        if node[0] == 'map':
            links = {user_key(key): (below, None) for key, below in node[1].items()}
            for key, child in list(links.items()) + list(inline_table(node[2]).items()):
                table.setdefault(key, child)

    def value_of(self, child):
        """The value of a child; MISSING when it has too many nodes."""
        link, value = child
        return value if link is None else self.value_at(link, MAX_LEVELS, [MAX_NODES])

    def value_at(self, link, levels, budget):
        node = self.nodes.get(link)
        if node is None or levels == 0:
            return MISSING
        budget[0] -= 1
        if budget[0] < 0:
            return MISSING

        def below(each):
            return self.value_at(each, levels - 1, budget)

        kind = node[0]
        if kind == 'map':
            linked = {key: below(each) for key, each in node[1].items()}
            return MISSING if any(each is MISSING for each in linked.values()) else dict(node[2], **linked)
        if kind == 'list':
            items = [below(node[1][str(i)]) if str(i) in node[1] else item for i, item in enumerate(node[2])]
            return MISSING if any(each is MISSING for each in items) else items
        if kind in ('lists', 'texts'):
            parts = [below(item[0]) for item in node[2]]
            if not all(type(part) is (list if kind == 'lists' else str) for part in parts):
                return MISSING
            return ''.join(parts) if kind == 'texts' else [each for part in parts for each in part]
        return node[1] if kind in ('text', 'value') else MISSING


GRANT = (
    {'id': is_text, 'from': is_text, 'to': is_text, 'capabilities': is_texts},
    {'parent': is_text, 'session': is_text, 'branches': is_texts, 'paths': is_texts, 'expires': is_time},
)
SESSION = ({'agent': is_text, 'by': is_text, 'grant': is_text}, {'parent': is_text})


def fields_in(value, table):
    """Those fields of a record that a table names; None when they are not as it says."""
    named = {field: each for field, each in value.items() if field in table[0] or field in table[1]}
    return named if has_fields(named, table) else None


class AccessState:
    """One access state: the tree of a decision."""

    def __init__(self, nodes, at, commit, tree):
        self.nodes, self.at, self.commit, self.tree, self.read = nodes, at, commit, tree, None

    def table(self, name):
        if self.read is None:
            root = self.nodes.table_of((self.tree, None))
            frozen = self.nodes.table_of(root.get('frozen'))
            self.read = {
                'grants': self.nodes.table_of(root.get('grants')),
                'sessions': self.nodes.table_of(root.get('sessions')),
                'principals': self.nodes.table_of(frozen.get('principals')),
                'branches': self.nodes.table_of(frozen.get('branches')),
            }
        return self.read[name]

    def is_frozen(self, what, name):
        return name in self.table(what)

    def find(self, what, name, fields):
        child = self.table(what).get(name)
        value = None if child is None else self.nodes.value_of(child)
        return (value, fields_in(value, fields)) if type(value) is dict else (None, None)

    def find_grant(self, name):
        value, terms = self.find('grants', name, GRANT)
        if terms is None or terms['id'] != name:
            return None
        return dict(terms, revoked='revoked' in value)

    def find_session(self, name):
        return self.find('sessions', name, SESSION)[1]

    def chain_to(self, name):
        """The chain that ends with a grant, the operator's first; empty when a link is not there."""
        chain = []
        while name is not None and len(chain) < MAX_LINKS:
            terms = self.find_grant(name)
            if terms is None:
                return []
            chain.insert(0, terms)
            name = terms.get('parent')
        return chain

    def is_in_force(self, chain, time):
        if not chain or 'parent' in chain[0]:
            return False
        for i, link in enumerate(chain):
            if link['revoked'] or link['from'] != (OPERATOR if i == 0 else chain[i - 1]['to']):
                return False
            if 'expires' in link and link['expires'] <= time:
                return False
            if i > 0 and self.is_frozen('principals', link['from']):
                return False
        return True

    def actors_in(self, session, principal):
        """Those who opened the sessions up to this one, and last the one that acts."""
        actors, seen = [principal], set()
        while session is not None and session not in seen:
            seen.add(session)
            found = self.find_session(session) or {}
            if found and found['by'] != actors[0]:
                actors.insert(0, found['by'])
            session = found.get('parent')
        return actors


class Asked:
    """A right: one of some capabilities, on a branch, at a path. A folded path stands for a part of what is below it."""

    def __init__(self, capabilities, branch, path, is_folded=False):
        self.capabilities, self.branch, self.path, self.is_folded = capabilities, branch, path, is_folded

    def under(self, *capabilities):
        return Asked(list(capabilities), self.branch, self.path, self.is_folded)


def is_on_branch(link, branch):
    return 'branches' not in link or any(means_name(pattern, branch) for pattern in link['branches'])


def is_unlimited(link):
    return 'branches' not in link and 'paths' not in link


def allows(link, capability, asked):
    if capability not in link['capabilities']:
        return False
    if asked.branch is None:
        return is_unlimited(link)
    if not is_on_branch(link, asked.branch):
        return False
    return asked.path is None or 'paths' not in link or any(means_place(each, asked.path) for each in link['paths'])


def allows_all(chain, asked):
    return any(all(allows(link, capability, asked) for link in chain) for capability in asked.capabilities)


def may_allow_below(chain, asked):
    """Whether a chain might allow something below a path."""
    for link in chain:
        if asked.branch is None:
            if not is_unlimited(link):
                return False
        elif not is_on_branch(link, asked.branch):
            return False
        elif 'paths' in link and not any(touches_place(each, asked.path or []) for each in link['paths']):
            return False
    return True


def grant_name(ref):
    """The name that grants know a ref by; None for refs of the system."""
    if ref.startswith('branch/'):
        return ref[7:]
    if ref.startswith('beside/'):
        return 'thread/' + ref[7:ref.rfind('/')]
    return ref if ref.startswith('thread/') else None


def own_refs(entry):
    return [(ref, before) for ref, before, after in entry['moves'] if is_zero(after)]


def object_in(value, name):
    found = value.get(name) if type(value) is dict else None
    return found if type(found) is dict else None


def targets_of(entry):
    """The branches and threads that a commit comes to, or is meant for, and whether it makes them."""
    own = own_refs(entry)
    named = [(grant_name(ref), before is None) for ref, before in own if grant_name(ref) is not None]
    if named:
        return named
    speculation, proposal = object_in(entry.get('body'), 'speculation'), object_in(entry.get('body'), 'proposal')
    branch, is_new = None, False
    if any(ref.startswith('draft/') for ref, _ in own):
        branch = (speculation or {}).get('branch')
    elif any(ref.startswith('proposal/') for ref, _ in own) and proposal is not None:
        branch = grant_name(proposal['ref']) if is_text(proposal.get('ref')) else None
        is_new = is_zero(proposal.get('head'))
    return [(branch, is_new)] if is_text(branch) else []


def find_place(text):
    """A changed path of an entry, and whether it is folded; None when it is none."""
    if text not in ('', '[""]') and (not text.startswith('/') or re.search('~(?![01])', text)):
        return None
    is_folded = text.endswith('/**')
    pointer = text[:-3] if is_folded else text
    if pointer in ('', '/'):
        return [], is_folded
    return [''] if pointer == '[""]' else [unescaped(segment) for segment in pointer[1:].split('/')], is_folded


def asked_by(entry, commit, may_be_propose):
    """The rights that a commit took, as far as its entry tells; None when it does not."""
    places = [find_place(text) for text in entry.get('changed', [])]
    if None in places:
        return None
    asked, targets, count = [], targets_of(entry), len(commit['parents'])
    for branch, is_new in targets:
        if is_new:
            write = ['commit'] if count == 0 else ['commit', 'merge']
        else:
            write = ['merge'] if count > 1 else ['commit']
        if not places:
            asked.append(Asked(write, branch, None))
        for path, is_folded in places:
            asked.append(Asked(['migrate'] if path[:1] == ['_meta'] else write, branch, path, is_folded))
        if is_new and branch != 'main' and any(ref == 'branch/' + branch for ref, _ in own_refs(entry)):
            asked.append(Asked(['branch'], branch, None))
    if not targets:
        asked.append(Asked(['commit', 'merge'], None, None))
    if not may_be_propose or any(each.capabilities[0] not in ('commit', 'merge') for each in asked):
        return asked
    return [each.under(*each.capabilities, 'propose') for each in asked]


def unknown(reason):
    return {'kind': 'unknown', 'reason': reason}


def denied(reason):
    return {'kind': 'denied', 'reason': reason}


def judge_commit(state, entry, commit):
    """Whether the principal of a commit held the right to make it, by the access state in force before it."""
    principal, body = commit.get('principal'), entry.get('body')
    if object_in(body, 'via') is not None and (state is not None or principal is not None):
        return unknown('it was imported from another log')
    if principal is None and any(name in commit for name in ('authority', 'session', 'actors')):
        return denied('it names an authority, and no principal')
    if state is None:
        if principal is None:
            return {'kind': 'open'}
        return denied('it names a principal, and no access control was in force')
    for branch, _ in targets_of(entry):
        if state.is_frozen('branches', branch):
            return denied('the branch %s was frozen' % branch)
    approval, own = object_in(body, 'approval'), [ref for ref, _ in own_refs(entry)]
    is_proposal = all(grant_name(ref) is None for ref in own) and any(ref.startswith('proposal/') for ref in own)
    asked = asked_by(entry, commit, approval is not None or is_proposal)
    if asked is None:
        return unknown('it does not state what it changed')
    chains = [] if principal is None else authority_of(state, entry['time'], commit)
    if is_text(chains):
        return denied(chains)
    rights = None if principal is None else judge_rights(principal, chains, asked)
    if rights is not None and rights['kind'] == 'denied':
        return rights
    if approval is not None:
        fault = approval_fault(state, entry['time'], commit, approval.get('by'), chains, asked)
        if fault is not None:
            return denied(fault)
    if principal is None:
        return {'kind': 'operator'}
    return rights or {'kind': 'granted', 'chains': [names_of(chain) for chain in chains]}


def authority_of(state, time, commit):
    """The chains that a commit names, or a text that says what is wrong with them."""
    principal, authority, session = commit['principal'], commit.get('authority', []), commit.get('session')
    if commit['agent'] != principal:
        return 'it was made as %s by %s' % (commit['agent'], principal)
    if state.is_frozen('principals', principal):
        return '%s was frozen' % principal
    found = None if session is None else state.find_session(session)
    if session is not None and (found is None or found['agent'] != principal):
        return 'its session is not one of %s' % principal
    expected = [principal] if session is None else state.actors_in(session, principal)
    if commit.get('actors', [principal]) != expected:
        return 'its actors are not those of its session'
    chains = []
    for name in authority:
        terms = state.find_grant(name)
        if terms is None:
            return 'the grant %s is not there' % name
        is_end = 'session' not in terms if found is None else name == found['grant']
        if terms['to'] == principal and is_end:
            chains.append(state.chain_to(name))
    if not all(state.is_in_force(chain, time) for chain in chains):
        return 'a grant of %s was not in force' % principal
    if {link['id'] for chain in chains for link in chain} != set(authority):
        return 'the grants that it names do not lead to %s' % principal
    return chains


def judge_rights(principal, chains, asked):
    """None when all rights were held."""
    is_open = None
    for each in asked:
        if is_held(chains, each):
            continue
        if not each.is_folded or not any(may_allow_below(chain, each) for chain in chains):
            at = '' if each.path is None else ' at ' + pointer_of(each.path)
            where = 'everything' if each.branch is None else each.branch
            return denied('%s had no right to %s%s on %s' % (principal, each.capabilities[0], at, where))
        is_open = is_open or unknown('it changed more places than its entry names')
    return is_open


def is_held(chains, asked):
    if not asked.is_folded or asked.path:
        return any(allows_all(chain, asked) for chain in chains)
    # Below the root anything may have changed, also what no pattern of paths means and what takes `migrate`.
    unlimited = [chain for chain in chains if all('paths' not in link for link in chain)]
    return all(any(allows_all(chain, each) for chain in unlimited) for each in (asked, asked.under('migrate')))


def pointer_of(path):
    if path == ['']:
        return '[""]'
    return ''.join('/' + key.replace('~', '~0').replace('/', '~1') for key in path) or '/'


def givers_of(grants):
    return [link['from'] for link in grants if link['from'] != OPERATOR]


def approval_fault(state, time, commit, approver, chains, asked):
    """Why an approval is none. Under which grants it was given is not recorded, so any may be meant."""
    if not is_text(approver):
        return 'it names no approver'
    actors = commit.get('actors', [commit.get('principal', OPERATOR)])
    behind = set(actors) | set(givers_of([link for chain in chains for link in chain]))
    if approver == OPERATOR:
        return 'the operator approved its own change' if OPERATOR in behind else None
    usable = []
    for name in [] if state.is_frozen('principals', approver) else state.table('grants'):
        terms = state.find_grant(name)
        if terms is None or terms['to'] != approver:
            continue
        chain = state.chain_to(name)
        links = state.actors_in(terms['session'], approver) if 'session' in terms else [approver]
        if state.is_in_force(chain, time) and not behind & set(links + givers_of(chain)):
            usable.append(chain)
    if all(any(allows_all(chain, each.under('approve')) for chain in usable) for each in asked):
        return None
    return '%s could not approve it' % approver


def names_of(chain):
    names = [chain[0]['from']] + [link['to'] for link in chain]
    return ' \u2192 '.join(name for i, name in enumerate(names) if i == 0 or name != names[i - 1])


def decision_fault(before, after, time, commit):
    """What is wrong with a decision: a grant that was not its maker's to give, or one that was changed."""
    maker, session = commit.get('principal'), commit.get('session')
    if maker is not None and before is None:
        return '%s decided about access where there was none' % maker
    if maker is not None and before.is_frozen('principals', maker):
        return '%s decided about access and was frozen' % maker
    old, now = {} if before is None else before.table('grants'), after.table('grants')
    if old is not now:
        for name, child in old.items():
            if not is_kept(after.nodes, child, now.get(name)):
                return 'it changed or removed the grant %s' % name
    working = None if session is None or before is None else before.find_session(session)
    for name in now:
        if name in old:
            continue
        terms = after.find_grant(name)
        is_own = terms is not None and terms['from'] == (OPERATOR if maker is None else maker)
        if not is_own or ('parent' in terms) == (maker is None):
            return "the grant %s was not its maker's to give" % name
        if maker is None:
            continue
        chain = before.chain_to(terms['parent'])
        is_holder = bool(chain) and chain[-1]['to'] == maker
        if is_holder and session is not None:
            is_holder = working is not None and chain[-1]['id'] == working['grant']
        elif is_holder:
            is_holder = 'session' not in chain[-1]
        may_give = is_holder and all('grant' in link['capabilities'] for link in chain)
        if not may_give or not before.is_in_force(chain, time):
            return '%s had no right to give the grant %s' % (maker, name)
    return None


def is_kept(nodes, old, following):
    """Whether a grant keeps its terms, and stays revoked once it is."""
    if following is None:
        return False
    if old[0] is not None and old[0] == following[0]:
        return True
    one, other = nodes.value_of(old), nodes.value_of(following)
    if type(one) is not dict or type(other) is not dict:
        return text_of(one) == text_of(other)
    terms, rest = ({key: each for key, each in value.items() if key != 'revoked'} for value in (one, other))
    return text_of(terms) == text_of(rest) and ('revoked' not in one or 'revoked' in other)


def text_of(value):
    return None if value is MISSING else canonical_text(value)


class AuthorityChecker:
    """Follows the access state through the entries, and judges each commit by the one in force."""

    def __init__(self):
        self.nodes = AccessNodes()
        self.counts = {'granted': 0, 'operator': 0, 'open': 0, 'unknown': 0, 'denied': 0}
        self.first, self.state, self.pending = {}, None, None

    def note(self, seq, judgement):
        self.counts[judgement['kind']] += 1
        if 'reason' in judgement:
            self.first.setdefault(judgement['kind'], 'entry %d: %s' % (seq, judgement['reason']))
        return judgement

    def position(self):
        """The state that the newest decision made."""
        return self.state if self.pending is None else self.pending[0]

    def decide(self, seq, name, commit, time=None):
        """Takes a decision, whose nodes follow. Without a time it is taken as it is."""
        self.pending = (AccessState(self.nodes, seq, name, commit['tree']), commit, time)

    def settle(self):
        if self.pending is None:
            return
        following, commit, time = self.pending
        fault = None if time is None else decision_fault(self.state, following, time, commit)
        if fault is not None:
            self.note(following.at, denied(fault))
        self.state, self.pending = following, None

    def judge(self, seq, entry, commit):
        return self.note(seq, judge_commit(self.state, entry, commit))


# --- The bundle -------------------------------------------------------------------------------------------------------


POSITION = ({'seq': is_count, 'commit': is_id}, {})


class BundleChecker:
    """Takes the lines of a bundle one by one; raises a Failure at the first check that does not hold."""

    def __init__(self, kept, inventory):
        self.kept, self.inventory = kept, inventory
        self.lines, self.stage, self.seq, self.time = 0, 'start', 0, ''
        self.note = None
        self.header = self.checkpoint = self.kept_root = self.prior_root = self.last = self.keychain_wrong = None
        self.keychain, self.frontier, self.patterns = [], [], []
        self.counts, self.refs, self.in_range, self.key_entries = {}, {}, {}, []
        # For each kind of tree, the openings under which nodes are known, and under which they are needed.
        self.states, self.access_states = ({}, {}), ({}, {})
        self.authority = AuthorityChecker()
        self.agents, self.categories, self.commit_at, self.long_lists = {}, {}, {}, None
        self.tree_opening = ALL
        self.access_opening = opening_of([(i, 0) for i in range(len(ACCESS_PATTERNS))], ACCESS_PATTERNS)
        self.takes_nodes = self.genesis_wrong = False
        self.digest = hashlib.sha256()

    def line(self, data, is_ended):
        self.lines += 1
        fits = is_ended and 0 < len(data) <= MAX_LINE
        demand(fits, 'line', 'The line is empty, too long or cut off.')
        try:
            text = data.decode('utf-8')
        except UnicodeDecodeError:
            raise Failure('line', 'The line is not UTF-8.') from None
        record = read_canonical(text, True)
        demand(type(record) is dict, 'line', 'The line is no object in canonical text.')
        kind = record.get('type')
        is_known = is_text(kind) and kind in RECORDS and has_fields(record, RECORDS[kind])
        demand(is_known, 'record', 'The record has not the fields of a type.')
        is_done = self.header is not None and self.seq == self.header['to']
        is_next = kind in NEXT[self.stage] and (kind != 'node' or self.takes_nodes)
        is_next = is_next and (kind != 'entry' or not is_done) and (kind != 'end' or is_done)
        if kind == 'access' and is_next:
            is_next = self.header['profile'] != 'redacted'
        demand(is_next, 'order', 'Here comes no %s.' % kind)
        getattr(self, 'take_' + kind)(record)
        self.stage = kind
        if kind != 'end':
            self.digest.update(data + b'\n')

    def finish(self):
        demand(self.lines > 0, 'line', 'There is nothing.')
        demand(self.stage == 'end', 'order', 'The bundle breaks off.')
        demand(root_of(self.frontier) == self.checkpoint.root, 'root', 'The entries are not those of the head.')
        self.check_seal()
        demand(not self.genesis_wrong, 'genesis', 'The first entry of the log, and only that, is its genesis.')
        about = 'entry %s' % self.keychain_wrong
        keys = self.last['body']['keys']
        named = ', '.join(map(str, keys)) or 'no entry'
        are_all = keys == [record[0] for record in self.keychain]
        demand(are_all, 'keychain', 'The keys changed at %s, and the keychain has others.' % named)
        demand(self.keychain_wrong is None, 'keychain', 'The entry about keys is another.', about)
        self.authority.settle()

    def take_header(self, record):
        is_bundle = record['format'] == 'agentstategraph-bundle' and record['version'] == 2
        demand(is_bundle, 'version', 'This is no bundle of version 2.')
        demand(1 <= record['from'] <= record['to'], 'header', 'The range of entries is none.')
        demand(record['profile'] in ('full', 'log', 'redacted'), 'header', 'The profile is unknown.')
        is_named = all(name != '' and '\n' not in name for name in (record['origin'], record['epoch']))
        demand(is_named, 'header', 'The origin or the epoch is no name.')
        if 'paths' in record:
            paths = record['paths']
            self.patterns = [find_pattern(path) for path in paths]
            demand(record['profile'] == 'full' and len(paths) > 0, 'header', 'Paths are not allowed here.')
            demand(None not in self.patterns, 'header', 'A path is no pattern.')
            is_sorted = all(utf16(one) < utf16(other) for one, other in zip(paths, paths[1:]))
            demand(is_sorted, 'header', 'The paths are not sorted.')
            self.tree_opening = opening_of([(i, 0) for i in range(len(paths))], self.patterns)
        elif record['profile'] == 'full':
            self.access_opening = ALL
        self.header = record
        self.seq = record['from'] - 1

    def take_prior(self, record):
        fits = len(record['hashes']) == bits_set(self.seq)
        demand(fits, 'prior', 'The number of hashes is not that of a tree of this size.')
        self.frontier = all_bytes(record['hashes'])
        self.prior_root = root_of(self.frontier)
        self.keep_root(self.seq, self.prior_root)

    def take_since(self, record):
        size, root = record['size'], base64.b64decode(record['root'])
        demand(1 <= size < self.seq, 'since', 'The size is not one from before the epoch.')
        is_proven = is_consistent(size, self.seq, root, self.prior_root, all_bytes(record['proof']))
        demand(is_proven, 'since', 'The proof does not lead to the root before the epoch.')
        self.keep_root(size, root)

    def keep_root(self, size, root):
        if self.kept is not None and self.kept.size == size:
            self.kept_root = root

    def take_keychain(self, record):
        at, text, prior = record['seq'], record['entry'], record.get('prior')

        def fail(holds, message):
            demand(holds, 'keychain', message, 'entry %d' % at)

        before = self.keychain[-1][0] if self.keychain else 0
        fail(before < at <= self.header['to'], 'The number of the entry is out of order.')
        fits = (prior is not None) == (at < self.header['from'])
        fail(fits, 'The proof to the root before the epoch is there or absent wrongly.')
        entry = find_entry(text)
        fail(entry is not None and entry['kind'] == 'key', 'This is no entry about keys.')
        head = find_head(record['head'])
        covers = head is not None and head.origin == self.header['origin'] and head.size >= at
        fail(covers, 'The head is none that covers the entry.')
        leaf = leaf_of(text)
        leads = is_included(leaf, at - 1, head.size, all_bytes(record['proof']), head.root)
        fail(leads, 'The proof does not lead to the head.')
        if prior is None:
            self.in_range[at] = leaf
        else:
            leads = is_included(leaf, at - 1, self.seq, all_bytes(prior), self.prior_root)
            fail(leads, 'The proof does not lead to the root before the epoch.')
        self.keychain.append((at, head, entry.get('body')))

    def take_checkpoint(self, record):
        self.note = record['head']
        head = find_head(record['head'])
        demand(head is not None, 'checkpoint', 'The head is not written as one.')
        demand(head.origin == self.header['origin'], 'checkpoint', 'The head is of another log.')
        demand(head.size == self.header['to'], 'checkpoint', 'The head is of another size.')
        self.checkpoint = head

    def take_access(self, record):
        at, text, commit_text = record['seq'], record['entry'], record['commit']

        def fail(holds, message):
            demand(holds, 'access', message, 'entry %d' % at)

        fail(1 <= at <= self.seq, 'The decision is not from before the epoch.')
        entry = find_entry(text)
        fail(entry is not None and is_decision(entry), 'This is no decision about access.')
        fits = id_of(commit_text.encode('utf-8')) == entry['commit']
        fail(fits, 'The text of the commit has another id than the entry names.')
        commit = find_commit(commit_text)
        fail(commit is not None and commit['agent'] == entry['agent'], 'The text is not that of the commit.')
        leads = is_included(leaf_of(text), at - 1, self.seq, all_bytes(record['proof']), self.prior_root)
        fail(leads, 'The proof does not lead to the root before the epoch.')
        self.time = entry['time']
        self.authority.decide(at, entry['commit'], commit)
        self.need(self.access_states, commit['tree'], self.access_opening)
        self.takes_nodes = True

    def take_entry(self, record):
        self.nothing_needed()
        self.authority.settle()
        profile, text, leaf = self.header['profile'], record.get('entry'), record.get('leaf')
        is_dropped = 'dropped' in record
        self.takes_nodes = False
        at = 'entry %d' % (self.seq + 1)
        demand((text is None) != (leaf is None), 'withheld', 'Neither or both of entry and leaf are there.', at)
        if leaf is not None:
            may_hide = profile == 'redacted' and 'commit' not in record and not is_dropped
            demand(may_hide, 'withheld', 'An entry is withheld that must not be.', at)
            self.add_entry(base64.b64decode(leaf))
            self.last = None
            if self.seq == 1:
                self.genesis_wrong = True
            self.inventory.withhold()
            return
        entry = find_entry(text)
        demand(entry is not None, 'entry', 'The text is not that of an entry.', at)
        demand(entry['time'] >= self.time, 'entry', 'The time is before that of the entry before.', at)
        self.time = entry['time']
        kind = entry['kind']
        is_shown = profile != 'redacted' or kind in GIVEN_IN_REDACTED
        demand(is_shown, 'withheld', 'An entry of this kind is not given in this profile.', at)
        commit = self.checked_commit(record, entry, at)
        decides = is_decision(entry)
        is_lost = is_dropped and (has_landed(entry) or decides)
        demand(not is_lost, 'dropped', 'The states of a commit that landed are left out.', at)
        if profile != 'redacted':
            for move in entry['moves']:
                self.move_ref(move, at, decides)
        self.add_entry(leaf_of(text))
        add_one(self.counts, kind)
        if kind == 'key':
            self.key_entries.append(self.seq)
        if profile != 'redacted':
            self.note_for_seal(entry, commit)
        if (kind == 'genesis') != (self.seq == 1):
            self.genesis_wrong = True
        self.last = entry
        judgement = {}
        if commit is not None:
            if decides:
                self.authority.decide(self.seq, entry['commit'], commit, entry['time'])
                self.need(self.access_states, commit['tree'], self.access_opening)
            else:
                judgement = self.authority.judge(self.seq, entry, commit)
            self.takes_nodes = decides or (profile == 'full' and not is_dropped)
            if self.takes_nodes and profile == 'full':
                self.need_states(commit, decides)
        self.inventory.entry(self.seq, entry, commit, is_dropped, judgement.get('chains', []))

    def need_states(self, commit, decides):
        if not decides:
            self.need(self.states, commit['tree'], self.tree_opening)
        self.need(self.states, commit['system'], ALL)
        if 'detail' in commit:
            self.need(self.states, commit['detail'], ALL)

    def take_node(self, record):
        text = record['node']
        node, name = find_node(text), id_of(text.encode('utf-8'))
        demand(node is not None, 'node', 'The text is not that of a node.', name)
        is_of_access = name in self.access_states[1]
        trees, patterns = (self.access_states, ACCESS_PATTERNS) if is_of_access else (self.states, self.patterns)
        opening = trees[1].pop(name, None)
        demand(opening is not None, 'unneeded-node', 'Nothing needs this node here.', name)
        if is_of_access:
            self.authority.nodes.nodes[name] = node
        for child, under in children_of(node, opening, patterns):
            self.need(trees, child, under)
        self.inventory.node(name, node, text)

    def take_end(self, record):
        self.nothing_needed()
        demand(record['lines'] == self.lines - 1, 'end', 'The number of lines is not right.')
        fits = base64.b64decode(record['digest']) == self.digest.digest()
        demand(fits, 'end', 'The digest is not that of the lines.')

    def need(self, trees, name, opening):
        known, needed = trees
        if opening != ALL and not opening:
            return
        before = known.get(name)
        if before is not None and is_within(opening, before):
            return
        known[name] = opening if before is None else united(before, opening)
        waiting = needed.get(name)
        needed[name] = opening if waiting is None else united(waiting, opening)

    def nothing_needed(self):
        name = next(iter(self.access_states[1]), None) or next(iter(self.states[1]), None)
        demand(name is None, 'missing-node', 'A node that the entry before needs did not come.', name)

    def checked_commit(self, record, entry, at):
        profile, text, name = self.header['profile'], record.get('commit'), entry.get('commit')

        def fail(holds, message):
            demand(holds, 'commit', message, '%s, commit %s' % (at, name or '(none)'))

        is_due = name is not None and profile != 'redacted'
        fail((text is not None) == is_due, 'The text of a commit is there or absent wrongly.')
        may_drop = 'dropped' not in record or (text is not None and profile == 'full')
        fail(may_drop, 'States are marked as dropped wrongly.')
        if text is None:
            return None
        fits = id_of(text.encode('utf-8')) == name
        fail(fits, 'The text of the commit has another id than the entry names.')
        commit = find_commit(text)
        fail(commit is not None, 'The text is not that of a commit.')
        fail(commit['agent'] == entry['agent'], 'The agent of the commit is not that of the entry.')
        return commit

    def move_ref(self, move, at, decides):
        ref, before, after = move
        own = self.seq + 1
        is_there = all(place is None or 0 <= place <= own for place in (before, after))
        fits = is_there and (ref not in self.refs or self.refs[ref] == before)
        if ref == ACCESS:
            position = self.authority.position()
            fits = fits and before == (None if position is None else position.at) and after == 0 and decides
        demand(fits, 'moves', 'A ref is moved from where it is not, or to where nothing is.', at)
        self.refs[ref] = own if after == 0 else after

    def add_entry(self, leaf):
        add_leaf(self.frontier, self.seq, leaf)
        self.seq += 1
        if self.kept is not None and self.kept.size == self.seq:
            self.kept_root = root_of(self.frontier)
        if self.in_range.get(self.seq, leaf) != leaf and self.keychain_wrong is None:
            self.keychain_wrong = self.seq

    def note_for_seal(self, entry, commit):
        """Counts what the seal says of commits and refs."""
        if commit is not None:
            self.commit_at[self.seq] = entry['commit']
            if has_landed(entry):
                add_one(self.agents, entry['agent'])
                add_one(self.categories, commit['intent']['category'])
        body = entry.get('body')
        if entry['kind'] != 'epoch' or type(body) is not dict or not is_text(body.get('value')):
            return
        if 'part' not in body:
            self.long_lists = (self.seq, [body['value']])
            return
        at, texts = self.long_lists or (0, [])
        goes_on = is_whole(body['part']) and body['part'] == len(texts) == self.seq - at
        texts.append(body['value'])
        self.long_lists = (at, texts) if goes_on else None

    def check_seal(self):
        header, last = self.header, self.last

        def fail(holds, message):
            demand(holds, 'seal', message, 'entry %d' % header['to'])

        is_seal = last is not None and last['kind'] == 'epoch' and type(last.get('body')) is dict
        fail(is_seal, 'The last entry is no seal.')
        body = last['body']
        is_own = body.get('status') == 'sealed' and body.get('epoch') == header['epoch']
        is_own = is_own and is_whole(body.get('from')) and body['from'] == header['from']
        fail(is_own and type(body.get('counts')) is dict, 'The last entry is not the seal of this epoch.')
        counted = body['counts']
        fail(all(map(is_count, counted.values())), 'A count is no count.')
        is_redacted = header['profile'] == 'redacted'
        exact = {kind: count for kind, count in counted.items() if not is_redacted or kind in GIVEN_IN_REDACTED}
        fail(exact == self.counts, 'The counts are not those of the entries.')
        fits = sum(counted.values()) == header['to'] - header['from'] + 1
        fail(fits, 'The counts do not add up to the entries.')
        keys, access = body.get('keys'), body.get('access', NONE)
        are_keys = type(keys) is list and all(map(is_count, keys))
        are_keys = are_keys and all(one < other for one, other in zip(keys, keys[1:]))
        are_all = are_keys and [at for at in keys if at >= header['from']] == self.key_entries
        fail(are_all, 'The seal names other changes of keys than there are.')
        is_stated = access is None or has_fields(access, POSITION)
        fail(is_stated, 'The seal does not say where the access state was.')
        if is_redacted:
            return
        state = self.authority.position()
        is_it = access is None if state is None else access == {'seq': state.at, 'commit': state.commit}
        fail(is_it, 'The seal names another access state than there was.')
        self.check_lists(body, fail)

    def check_lists(self, body, fail):
        first, lists = self.header['from'], body
        if 'facts' in body:
            at, texts = self.long_lists or (0, [])
            is_before = is_whole(body['facts']) and body['facts'] == at and at + len(texts) == self.header['to']
            lists = read_canonical(''.join(texts), True) if is_before else NONE
            fail(type(lists) is dict, 'The lists of the seal are not where it says.')
        commits = lists.get('commits')
        are_right = is_whole(commits) and commits == sum(self.agents.values())
        are_right = are_right and is_tally(lists.get('agents'), self.agents)
        are_right = are_right and is_tally(lists.get('categories'), self.categories)
        fail(are_right, 'The seal counts other commits than landed.')
        listed = lists.get('refs')
        fail(type(listed) is dict, 'The seal lists no refs.')
        for ref, place in self.refs.items():
            is_due = place is not None and ref.startswith(LISTED) and (place < first or place in self.commit_at)
            fail(is_due == (ref in listed), 'The seal does not list the refs that there are.')
        for ref, place in listed.items():
            at, commit = (place.get('seq'), place.get('commit')) if type(place) is dict else (None, None)
            is_there = is_whole(at) and (at == self.refs[ref] if ref in self.refs else 1 <= at < first)
            is_there = is_there and is_id(commit) and (at < first or commit == self.commit_at.get(at))
            fail(ref.startswith(LISTED) and is_there, 'The seal lists a ref where it is not.')


# --- What is in it ----------------------------------------------------------------------------------------------------


def count_one(counts, key):
    if key in counts or len(counts) < MAX_LISTED:
        counts[key] = counts.get(key, 0) + 1


class Inventory:
    """What a bundle holds: who changed what, on whose authority."""

    def __init__(self, listed):
        self.listed = listed
        self.totals = {'entries': 0, 'commits': 0, 'dropped': 0, 'withheld': 0, 'moreChanges': 0}
        self.kinds, self.categories, self.groups, self.sealed_by_key = {}, {}, {}, {}
        self.sealed_nodes, self.erased_keys, self.changes, self.time = set(), set(), [], []
        # The states of those who list changes are kept, for the values.
        self.states = AccessNodes()

    def withhold(self):
        self.totals['entries'] += 1
        self.totals['withheld'] += 1

    def entry(self, seq, entry, commit, is_dropped, chains):
        self.totals['entries'] += 1
        count_one(self.kinds, entry['kind'])
        self.time = [self.time[0] if self.time else entry['time'], entry['time']]
        body = entry.get('body')
        if entry['kind'] == 'erase' and type(body) is dict and is_text(body.get('key')):
            self.erased_keys.add(body['key'])
        if 'commit' not in entry:
            return
        self.totals['commits'] += 1
        self.totals['dropped'] += 1 if is_dropped else 0
        if commit is not None:
            count_one(self.categories, commit['intent']['category'])
        who = {'agent': entry['agent'], 'principal': None, 'authority': [], 'chains': chains}
        if commit is not None:
            who.update(principal=commit.get('principal'), authority=commit.get('authority', []))
        name = ENCODER.encode(who)
        if name not in self.groups and len(self.groups) < MAX_LISTED:
            self.groups[name] = dict(who, commits=0, changed={})
        group = self.groups.get(name)
        changed = entry.get('changed', [])
        paths = [path for path in changed if not self.listed or any(touches(path, each) for each in self.listed)]
        if group is not None:
            group['commits'] += 1
            for path in paths:
                count_one(group['changed'], path)
        if not self.listed or not paths:
            return
        if len(self.changes) == MAX_LISTED:
            self.totals['moreChanges'] += 1
        else:
            place = {'entry': seq, 'commit': short_id(entry['commit']), 'time': entry['time']}
            tree = None if commit is None else commit.get('tree')
            self.changes.append((tree, dict(place, **who, **reason_of(commit), paths=paths)))

    def node(self, name, node, text):
        if self.listed:
            self.states.nodes[name] = node
        if '"$sealed"' not in text or name in self.sealed_nodes:
            return
        self.sealed_nodes.add(name)
        # The outer containers of a node are its shape; only their content are values.
        for part in node[1:]:
            for value in part.values() if type(part) is dict else part if type(part) is list else []:
                self.count_sealed(value)
        if node[0] == 'value':
            self.count_sealed(node[1])

    def count_sealed(self, value):
        sealed = value.get('$sealed') if type(value) is dict and len(value) == 1 else None
        if is_texts(sealed) and len(sealed) == 3:
            count_one(self.sealed_by_key, sealed[0])
        elif type(value) in (dict, list):
            for each in value.values() if type(value) is dict else value:
                self.count_sealed(each)

    def done(self, refs):
        erased = sum(count for key, count in self.sealed_by_key.items() if key in self.erased_keys)
        return dict(
            self.totals, kinds=self.kinds, categories=self.categories, time=self.time,
            changedBy=list(self.groups.values()), refs=dict(list(refs.items())[:MAX_LISTED]),
            encrypted=sum(self.sealed_by_key.values()), erased=erased,
            changes=[dict(each, values=values_at(self.states, tree, each['paths'])) for tree, each in self.changes],
        )


def short_id(name):
    """The beginning of an id in hex, as long as every surface of AgentStateGraph shows it."""
    return base64.urlsafe_b64decode(name + '=' * (-len(name) % 4)).hex()[:12]


def values_at(nodes, tree, paths):
    """By path, the canonical text of what a state holds there; a path that is gone, or is not in the bundle, has none."""
    values = {}
    for path in paths:
        if tree is None or path.endswith('/**'):
            continue
        child = (tree, None)
        for segment in path.split('/')[1:]:
            child = None if child is None else nodes.table_of(child).get(unescaped(segment))
        value = MISSING if child is None else nodes.value_of(child)
        if value is not MISSING:
            values[path] = canonical_text(value)
    return values


def reason_of(commit):
    """Confidence is in millionths, as the commit has it."""
    if commit is None:
        return {'category': None, 'description': None, 'reasoning': None, 'confidence': None}
    intent = commit['intent']
    return {
        'category': intent['category'], 'description': intent['description'], 'reasoning': commit.get('reasoning'),
        'confidence': commit.get('confidence'),
    }


def touches(path, pattern):
    """Whether a changed path is at, above or below what a pattern matches."""
    plain = path[:-3] if path.endswith('/**') else path
    names = [unescaped(segment) for segment in plain.split('/')[1:]]
    return all(segment in ('*', name) for segment, name in zip(pattern, names))


# --- The verdict ------------------------------------------------------------------------------------------------------


def level(name, status, detail):
    return {'name': name, 'status': status, 'detail': detail}


def judge_extends(bundle, kept):
    if kept is None:
        return level('extends', 'not-checked', 'no head that you kept was given (--prior)'), None
    if kept.origin != bundle.header['origin']:
        return level('extends', 'failed', 'the head that you kept is of another log'), 'extends-origin'
    if kept.size > bundle.checkpoint.size:
        return level('extends', 'not-checked', 'the head that you kept is newer than the bundle'), None
    if bundle.kept_root is None:
        return level('extends', 'not-checked', 'the bundle does not lead back to size %d' % kept.size), None
    if bundle.kept_root == kept.root:
        return level('extends', 'passed', 'goes on from size %d' % kept.size), None
    return level('extends', 'failed', 'at size %d the history was another' % kept.size), 'extends-root'


def judge_signed(bundle, keys):
    if not keys:
        return level('signed', 'not-checked', 'no key of the log was given (--key)'), None
    trusted, retired = {key.text: key for key in keys}, ''
    for at, head, body in bundle.keychain:
        lines = [line for key in trusted.values() for line in lines_of(head, key)]
        is_vouched_for = bool(lines) and all(is_right for is_right, _ in lines)
        if type(body) is not dict:
            continue
        for key in log_keys_in(body.get('add')) if is_vouched_for else []:
            trusted[key.text] = key
        # The log itself says so, and the head to be checked stands for all of it: nobody has to vouch for a retirement.
        for key in log_keys_in(body.get('retire')):
            if trusted.pop(key.text, None) is not None:
                retired = '; %s was retired by entry %d' % (key.label, at)
    signers = []
    for key in trusted.values():
        for is_right, _ in lines_of(bundle.checkpoint, key):
            if not is_right:
                return level('signed', 'failed', 'the signature of %s is wrong' % key.label), 'signature-wrong'
            if key.label not in signers:
                signers.append(key.label)
    if not signers:
        return level('signed', 'failed', 'no key that you trust signed this' + retired), 'signature-missing'
    changes = '' if bundle.keychain else '; the log names no change of keys'
    return level('signed', 'passed', 'by ' + ', '.join(signers) + changes), None


def log_keys_in(texts):
    keys = [find_key(text) for text in (texts if type(texts) is list else []) if is_text(text)]
    return [key for key in keys if key is not None and key.kind == 1]


def judge_witnessed(bundle, keys, quorum):
    if not keys:
        return level('witnessed', 'not-checked', 'no key of a witness was given (--witness)'), None
    seen = {}
    for key in keys:
        for is_right, time in lines_of(bundle.checkpoint, key):
            if not is_right:
                return level('witnessed', 'failed', 'the signature of %s is wrong' % key.label), 'witness-wrong'
            seen[key.public_key] = '%s at %s' % (key.name, time_text(time))
    if len(seen) < quorum:
        detail = 'signed by %d of these witnesses, %d asked for' % (len(seen), quorum)
        return level('witnessed', 'not-checked', detail), None
    return level('witnessed', 'passed', 'by ' + ', '.join(seen.values())), None


def judge_authorised(bundle):
    counts, first = bundle.authority.counts, bundle.authority.first
    if bundle.header['profile'] == 'redacted':
        return level('authorised', 'not-checked', 'who made the commits is withheld'), None
    if 'denied' in first:
        return level('authorised', 'failed', first['denied']), 'authority'
    if 'unknown' in first:
        return level('authorised', 'not-checked', first['unknown']), None
    if counts['granted'] + counts['operator'] == 0:
        detail = 'open: no access control was in force' if counts['open'] else 'there are no commits'
        return level('authorised', 'not-checked', detail), None
    before = ', %d before there was access control' % counts['open'] if counts['open'] else ''
    detail = 'commits: %d under grants, %d by the operator%s' % (counts['granted'], counts['operator'], before)
    return level('authorised', 'passed', detail), None


def time_text(seconds):
    if seconds >= 253402300800:
        return 'second %d' % seconds
    moment = datetime.datetime(1970, 1, 1) + datetime.timedelta(seconds=seconds)
    return moment.isoformat() + 'Z'


def verify_chunks(chunks, keys=(), kept=None, quorum=1, listed=(), required=()):
    """Checks a bundle given as chunks of bytes. Keys and the kept head are as find_key and find_head give them."""
    inventory = Inventory(listed)
    bundle = BundleChecker(kept, inventory)
    failure = None
    try:
        each_line(chunks, bundle.line)
        bundle.finish()
        judged = {
            'integrity': (level('integrity', 'passed', integrity_text(bundle.header['to'])), None),
            'extends': judge_extends(bundle, kept),
            'signed': judge_signed(bundle, [key for key in keys if key.kind == 1]),
            'witnessed': judge_witnessed(bundle, [key for key in keys if key.kind == 4], quorum),
            'authorised': judge_authorised(bundle),
        }
        for found, check in judged.values():
            if check is not None and failure is None:
                failure = {'check': check, 'line': bundle.lines, 'id': None, 'message': found['detail']}
    except Failure as error:
        judged = {name: (level(name, 'not-checked', 'the bundle itself does not hold'), None) for name in LEVELS}
        judged['integrity'] = (level('integrity', 'failed', error.message), None)
        failure = {'check': error.check, 'line': bundle.lines, 'id': error.about, 'message': error.message}
    levels = [judged[name][0] for name in LEVELS]
    asked = set(required) | {'signed' if key.kind == 1 else 'witnessed' for key in keys}
    if kept is not None:
        asked.add('extends')
    is_open = any(found['name'] in asked and found['status'] == 'not-checked' for found in levels)
    code = (3 if is_open else 0) if failure is None else 2 if failure['check'] == 'version' else 1
    about = None
    if bundle.header is not None:
        about = {name: bundle.header[name] for name in ('origin', 'epoch', 'from', 'to', 'profile')}
        about['paths'] = bundle.header.get('paths')
    holds = inventory.done(bundle.refs) if levels[0]['status'] == 'passed' else None
    return {'exit': code, 'failed': failure, 'levels': levels, 'bundle': about, 'inventory': holds, 'head': bundle.note}


def integrity_text(size):
    return 'every entry is one that the head of size %d stands for' % size


def each_line(chunks, take):
    rest = []
    length = 0
    for chunk in chunks:
        lines = chunk.split(b'\n')
        for ended in lines[:-1]:
            take(b''.join(rest) + ended if rest else ended, True)
            rest, length = [], 0
        if lines[-1]:
            rest.append(lines[-1])
        length += len(lines[-1])
        if length > MAX_LINE:
            break
    if rest:
        take(b''.join(rest), False)


# --- The command ------------------------------------------------------------------------------------------------------

UNSHOWN = re.compile('[\\u0000-\\u001f\\u007f-\\u009f\\u202a-\\u202e\\u2066-\\u2069\\u200e\\u200f\\u061c]')


def shown(text):
    """Stored text for display: characters that control a terminal or the direction of text are escaped."""
    return UNSHOWN.sub(lambda match: '\\u%04x' % ord(match.group()), text)


# What each level says in plain words.
MEANINGS = {
    'integrity': {
        'passed': 'Nothing in this file was changed, added or left out since its head was made.',
        'failed': 'This file is not what its head stands for: it was changed, or is damaged.',
        'not-checked': 'Nobody looked whether the file is whole.',
    },
    'signed': {
        'passed': 'The holder of the key that you gave stands for this history.',
        'failed': 'The key that you gave did not sign this history.',
        'not-checked': 'Who made this file is not known: anybody can make a consistent one.',
    },
    'extends': {
        'passed': 'It goes on from the history that you saw before: nothing of that was rewritten.',
        'failed': 'It is another history than the one that you saw before.',
        'not-checked': 'Whether history was rewritten since an earlier audit is not known.',
    },
    'witnessed': {
        'passed': 'Witnesses that you chose saw the same history.',
        'failed': 'The witnesses that you chose did not sign this history.',
        'not-checked': 'Whether others were shown the same history is not known.',
    },
    'authorised': {
        'passed': 'Each commit was made by somebody who was allowed to make it.',
        'failed': 'A commit was made by somebody who was not allowed to make it.',
        'not-checked': 'Whether its authors were allowed to do what they did is not known.',
    },
}
EXITS = [
    'what was asked for holds', 'do not rely on this bundle', 'not readable here',
    'a level that was asked for could not be checked',
]


LONG_ID = re.compile(r'(?<![\w-])[\w-]{43}(?![\w-])')


def is_no_bundle(verdict):
    """Whether not even the first line is that of a bundle."""
    failure = verdict['failed']
    return verdict['bundle'] is None and failure is not None and failure['check'] != 'version' and failure['line'] <= 1


NO_BUNDLE = '  Nothing of it was checked. A bundle is a file of `asg epoch export`; one that is compressed has to be unpacked.'


def end_of(verdict):
    return 'nothing was checked' if is_no_bundle(verdict) else EXITS[verdict['exit']]


def printed(verdict):
    out = []
    bundle, failure = verdict['bundle'], verdict['failed']
    if bundle is not None:
        paths = '' if bundle['paths'] is None else ', only ' + ' '.join(bundle['paths'])
        span = 'entries %d to %d' % (bundle['from'], bundle['to'])
        out += ['epoch %s of %s, %s, profile %s%s' % (bundle['epoch'], bundle['origin'], span, bundle['profile'], paths), '']
    if is_no_bundle(verdict):
        out += ['this is no bundle: its first line is not the header of one', NO_BUNDLE]
    for each in [] if is_no_bundle(verdict) else verdict['levels']:
        out.append('%s: %s (%s)' % (each['name'], each['status'].replace('-', ' '), each['detail']))
        out.append('  ' + MEANINGS[each['name']][each['status']])
    if failure is not None and not is_no_bundle(verdict):
        about = '' if failure['id'] is None else ', ' + LONG_ID.sub(lambda found: short_id(found.group()), failure['id'])
        out += ['', 'first failing check: %s, line %d%s' % (failure['check'], failure['line'], about)]
    if verdict['inventory'] is not None:
        out += [''] + inventory_lines(verdict['inventory'])
    out += ['', 'exit %d: %s' % (verdict['exit'], end_of(verdict))]
    return '\n'.join(map(shown, out)) + '\n'


def inventory_lines(found):
    def named(counts):
        return ['%s %d' % pair for pair in counts.items()]

    hidden = ['withheld %d' % found['withheld']] if found['withheld'] else []
    out = ['entries: %d (%s)' % (found['entries'], ', '.join(named(found['kinds']) + hidden))]
    if found['time']:
        out.append('time: %s to %s' % tuple(found['time']))
    cleared = ', of which %d with states cleared away' % found['dropped'] if found['dropped'] else ''
    out.append('commits: %d%s' % (found['commits'], cleared))
    if found['categories']:
        out.append('categories: ' + ', '.join(named(found['categories'])))
    if found['encrypted']:
        out.append('encrypted values: %d, of which %d erased' % (found['encrypted'], found['erased']))
    for group in found['changedBy']:
        paths = [path + (' ×%d' % times if times > 1 else '') for path, times in group['changed'].items()]
        more = ' and %d more' % (len(paths) - 10) if len(paths) > 10 else ''
        changed = ' '.join(paths[:10]) or 'nothing'
        count = '%d %s' % (group['commits'], 'commit' if group['commits'] == 1 else 'commits')
        out.append('by %s: %s; changed %s%s' % (who_text(group), count, changed, more))
    for ref, at in found['refs'].items():
        out.append('ref %s: %s' % (ref, 'gone' if at is None else 'at entry %d' % at))
    for each in found['changes']:
        why = '' if each['category'] is None else '; %s: %s' % (each['category'], each['description'])
        why += '' if each['reasoning'] is None else '; because: ' + each['reasoning']
        why += '' if each['confidence'] is None else '; %s sure' % percent(each['confidence'])
        values = each['values']
        changed = ', '.join('%s = %s' % (path, values[path]) if path in values else path for path in each['paths'])
        place = (each['entry'], each['commit'], each['time'], who_text(each), changed, why)
        out.append('entry %d, commit %s, %s, %s, %s%s' % place)
    if found['moreChanges']:
        out.append('and %d more changes' % found['moreChanges'])
    return out


def percent(millionths):
    return '%d%%' % ((millionths + 5000) // 10000)


def change_rows(found):
    """One row for each changed path: what, when, who, why, how sure, and the value."""
    return [
        [
            str(each['entry']), each['commit'], each['time'], each['agent'], who_text(each), each['category'] or '',
            each['description'] or '', each['reasoning'] or '',
            '' if each['confidence'] is None else percent(each['confidence']), path, each['values'].get(path, ''),
        ]
        for each in found['changes'] for path in each['paths']
    ]


COLUMNS = 'entry commit time agent authority category why reasoning confidence path value'.split()


def cell(text):
    """A cell of a table: quoted, and never read as a formula."""
    safe = "'" + text if text[:1] in ('=', '+', '-', '@') else text
    return '"%s"' % shown(safe).replace('"', '""')


def csv_report(verdict):
    rows = [] if verdict['inventory'] is None else change_rows(verdict['inventory'])
    return ''.join(','.join(map(cell, row)) + '\r\n' for row in [COLUMNS] + rows)


def escaped_html(text):
    return shown(text).replace('&', '&amp;').replace('<', '&lt;').replace('>', '&gt;').replace('"', '&quot;')


def html_table(titles, rows):
    def line(tag, cells):
        return '<tr>%s</tr>\n' % ''.join('<%s>%s</%s>' % (tag, escaped_html(text), tag) for text in cells)

    return '<table>\n%s%s</table>\n' % (line('th', titles), ''.join(line('td', row) for row in rows))


def html_report(verdict):
    bundle, found = verdict['bundle'], verdict['inventory']
    title = 'No bundle' if bundle is None else 'Epoch %s of %s' % (bundle['epoch'], bundle['origin'])
    ladder = [
        [each['name'], each['status'].replace('-', ' '), MEANINGS[each['name']][each['status']], each['detail']]
        for each in verdict['levels']
    ]
    return ''.join([
        '<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n',
        '<title>%s</title>\n' % escaped_html(title),
        '<style>body{font:14px sans-serif;margin:2em}table{border-collapse:collapse}'
        'td,th{border:1px solid #999;padding:4px 8px;text-align:left;vertical-align:top}</style>\n',
        '<h1>%s</h1>\n' % escaped_html(title),
        '<p>%s</p>\n' % escaped_html(end_of(verdict)),
        '<p>%s</p>\n' % escaped_html(NO_BUNDLE)
        if is_no_bundle(verdict) else html_table(['level', 'verdict', 'in plain words', 'detail'], ladder),
        '' if found is None else '<h2>Changes</h2>\n' + html_table(COLUMNS, change_rows(found)),
        '<p>and %d more changes</p>\n' % found['moreChanges'] if found is not None and found['moreChanges'] else '',
        '</html>\n',
    ])


def is_there(file):
    try:
        open(file, 'rb').close()
    except OSError as error:
        return not isinstance(error, FileNotFoundError)
    return True


def write_new(file, text):
    """Writes a file that is not there yet."""
    try:
        with open(file, 'x', encoding='utf-8', newline='') as opened:
            opened.write(text)
    except FileExistsError:
        raise Unusable('%s is there already' % file) from None
    except OSError:
        raise Unusable('%s could not be written' % file) from None


def who_text(who):
    """Who acted for whom, by names where the chain was found, else by the ids of grants."""
    behalf = '' if who['principal'] in (None, who['agent']) else ' for ' + who['principal']
    authority = ', '.join(who['chains']) or ' > '.join(who['authority'])
    return who['agent'] + behalf + (' on the authority of ' + authority if authority else '')


def read_text(file):
    try:
        with open(file, 'rb') as opened:
            return opened.read().decode('utf-8')
    except (OSError, ValueError):
        raise Unusable('%s could not be read' % file) from None


def keys_of(text, kind=None):
    lines = [text] if KEY.fullmatch(text) else [line for line in read_text(text).split('\n') if line != '']
    keys = [find_key(line) for line in lines]
    if not keys or None in keys:
        raise Unusable('there is no public key in %s' % text)
    if kind is not None and any(key.kind != kind for key in keys):
        raise Unusable('this is no key of a witness: %s' % text)
    return keys


def read_arguments(args):
    options = {'keys': [], 'kept': None, 'quorum': 1, 'required': [], 'listed': []}
    file, as_json, rest, files = None, False, list(args), {}
    while rest:
        option = rest.pop(0)
        if option in ('--key', '--witness', '--quorum', '--prior', '--require', '--paths', '--save-head', '--csv', '--html'):
            if not rest:
                raise Unusable('%s needs a value' % option)
            value = rest.pop(0)
        if option == '--key':
            options['keys'] += keys_of(value)
        elif option == '--witness':
            options['keys'] += keys_of(value, 4)
        elif option == '--quorum':
            if re.fullmatch('[1-9][0-9]{0,3}', value) is None:
                raise Unusable('--quorum needs a number from 1 on')
            options['quorum'] = int(value)
        elif option == '--prior':
            options['kept'] = find_head(read_text(value))
            if options['kept'] is None:
                raise Unusable('the file given as --prior holds no signed head')
        elif option == '--require':
            options['required'] = value.split(',')
            unknown = [name for name in options['required'] if name not in LEVELS]
            if unknown:
                raise Unusable('there is no level %s' % unknown[0])
        elif option == '--paths':
            options['listed'] = [find_pattern(path) for path in value.split(',')]
            if None in options['listed']:
                raise Unusable('--paths needs paths such as /a/b,/c/*')
        elif option in ('--save-head', '--csv', '--html'):
            files[option] = value
        elif option == '--json':
            as_json = True
        elif option.startswith('--'):
            raise Unusable('what is %s?' % option)
        elif file is not None:
            raise Unusable('one bundle at a time: %s and %s are two; a public key follows --key' % (file, option))
        else:
            file = option
    if file is None:
        raise Unusable('which bundle?')
    for written in files.values():
        if is_there(written):
            raise Unusable('%s is there already' % written)
    # A report lists every change unless paths were named.
    if not options['listed'] and ('--csv' in files or '--html' in files):
        options['listed'] = [[]]
        files['report'] = True
    return file, as_json, files, options


def chunks_of(opened):
    return iter(lambda: opened.read(1 << 18), b'')


def main(args, write, complain):
    """Runs the command and returns its exit code."""
    if not args or '--help' in args or '-h' in args:
        write(USAGE)
        return 0 if args else 2
    try:
        file, as_json, files, options = read_arguments(args)
        if file == '-':
            verdict = verify_chunks(chunks_of(sys.stdin.buffer), **options)
        else:
            with open(file, 'rb') as opened:
                verdict = verify_chunks(chunks_of(opened), **options)
        head = verdict.pop('head')
        short = verdict
        if 'report' in files and verdict['inventory'] is not None:
            short = dict(verdict, inventory=dict(verdict['inventory'], changes=[]))
        write(shown(ENCODER.encode(verdict)) + '\n' if as_json else printed(short))
        if '--csv' in files:
            write_new(files['--csv'], csv_report(verdict))
        if '--html' in files:
            write_new(files['--html'], html_report(verdict))
        if '--save-head' in files:
            if verdict['failed'] is not None:
                raise Unusable('the head of a bundle that does not hold is not kept')
            write_new(files['--save-head'], head)
        return verdict['exit']
    except Unusable as error:
        complain('verify: %s\n--help shows how to use it\n' % shown(str(error)))
    except OSError as error:
        complain('verify: %s\n' % shown('%s could not be read' % error.filename if error.filename else str(error)))
    except MemoryError as error:
        complain('verify: %s\n' % shown(str(error)))
    return 2


if __name__ == '__main__':
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(encoding='utf-8', errors='backslashreplace')
    sys.exit(main(sys.argv[1:], sys.stdout.write, sys.stderr.write))
