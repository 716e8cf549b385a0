#!/usr/bin/env python3
"""Reads a SQLite store of AgentStateGraph without AgentStateGraph.

One file, Python 3.9 or newer, nothing but the standard library. It was written from docs/format.md alone: it checks every
hash, pointer and checksum of one namespace, and prints the state at the head of a branch as canonical text. It does not
compute writers and changed paths again, and it reads no derived table.

  python3 read-store.py FILE [--namespace NAME] [--branch NAME]

exit codes: 0 everything holds, 1 damaged, 2 unreadable or wrong usage
"""

import base64
import datetime
import functools
import hashlib
import json
import pathlib
import re
import sqlite3
import sys

APPLICATION_ID = 0x41534773
LAYOUT = 2
FORMAT = 2
SPAN = 2**36
MARK = b'\x00'
MOST_DELTAS = 64
ID_LENGTH = 43
CHECK_LENGTH = 8
TAG = re.compile(r'\$(?!\$)')
ISO = re.compile(r'\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z')
WHOLE, DELTA, TRIMMED = 0, 1, 2


class Damaged(Exception):
    """Something that is not what docs/format.md says."""


class Unusable(Exception):
    """An argument or a file that cannot be used."""


class Number:
    """A number of a canonical text, printed as it was written."""

    def __init__(self, text):
        self.text = text

    def __int__(self):
        return int(self.text)


def demand(holds, message, *about):
    if not holds:
        raise Damaged(message % about)


# Texts and ids


def parsed(text):
    return json.loads(text, parse_int=Number, parse_float=Number)


def utf16(key):
    return key.encode('utf-16-be', 'surrogatepass')


def canonical(value):
    if isinstance(value, Number):
        return value.text
    if isinstance(value, list):
        return '[%s]' % ','.join(canonical(item) for item in value)
    if isinstance(value, dict):
        keys = sorted(value, key=utf16)
        return '{%s}' % ','.join('%s:%s' % (canonical(key), canonical(value[key])) for key in keys)
    return json.dumps(value, ensure_ascii=False)


def base64url(data):
    return base64.urlsafe_b64encode(data).decode().rstrip('=')


def id_of(data):
    return base64url(hashlib.sha256(data).digest())


def hex_of(identifier):
    return base64.urlsafe_b64decode(identifier + '=').hex()


def leaf_of(identifier, provenance):
    return id_of(b'\x00' + identifier.encode() + provenance)


def is_tag(value):
    return isinstance(value, dict) and len(value) == 1 and TAG.match(next(iter(value))) is not None


def milliseconds(text):
    demand(isinstance(text, str) and ISO.fullmatch(text), 'the time %s cannot be read', text)
    moment = datetime.datetime.strptime(text, '%Y-%m-%dT%H:%M:%S.%fZ').replace(tzinfo=datetime.timezone.utc)
    return (moment - datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)) // datetime.timedelta(milliseconds=1)


# Checksums of rows


def checksum(parts):
    total = 0x811C9DC5
    for part in parts:
        if isinstance(part, int):
            units = (part & 0xFFFFFFFF, part >> 32 & 0xFFFFFFFF)
        else:
            units = part if isinstance(part, bytes) else (ord(unit) for unit in part)
        for unit in units:
            total = (total ^ unit) * 0x01000193 & 0xFFFFFFFF
    total = (total ^ total >> 16) * 0x85EBCA6B & 0xFFFFFFFF
    total = (total ^ total >> 13) * 0xC2B2AE35 & 0xFFFFFFFF
    return total ^ total >> 16


# Packs


class Bytes:
    """Reads a part of a pack from its beginning."""

    def __init__(self, data):
        self.data = data
        self.at = 0

    def take(self, size):
        demand(0 <= size <= len(self.data) - self.at, 'a pack ends too early')
        self.at += size
        return self.data[self.at - size : self.at]

    def varint(self):
        number = shift = 0
        while True:
            byte = self.take(1)[0]
            number |= (byte & 127) << shift
            if byte < 128:
                return number
            shift += 7

    def rest(self):
        return self.take(len(self.data) - self.at)

    def is_empty(self):
        return self.at == len(self.data)


def entry_number(number, own):
    """The sequence number that a pack of entry `own` means by a number."""
    if number == 0:
        return own
    return number // 2 if number % 2 == 0 else own - (number + 1) // 2


class Pack:
    """The header of a pack, and its records as they are stored."""

    def __init__(self, seq, parts):
        self.seq = seq
        self.records = []
        for first, data in parts:
            demand(first == len(self.records), 'a part of the pack of entry %d is missing', seq)
            part = Bytes(data)
            if first == 0:
                self.read_header(part)
            lengths = [part.varint() for _ in range(part.varint())]
            self.records += [part.take(length) for length in lengths]
            demand(part.is_empty(), 'a part of the pack of entry %d is too long', seq)

    def read_header(self, part):
        self.body = part.take(part.varint())
        demand(part.take(CHECK_LENGTH).decode('latin-1') == leaf_of('', self.body)[:CHECK_LENGTH], 'the header of the pack of entry %d is damaged', self.seq)
        body = Bytes(self.body)
        demand(body.varint() == FORMAT, 'the pack of entry %d has another version', self.seq)
        self.roots = [self.pointer(body) for _ in range(body.varint())]
        self.parents = [self.entry(body) for _ in range(body.varint())]
        demand(body.is_empty(), 'the header of the pack of entry %d is too long', self.seq)

    def entry(self, data):
        return entry_number(data.varint(), self.seq)

    def pointer(self, data):
        return self.entry(data), data.varint()

    def writer(self, data):
        number = data.varint()
        draft = data.varint() if number % 2 == 1 else 0
        return number // 2, draft


# The store


class Store:
    def __init__(self, file, namespace):
        self.database = sqlite3.connect(pathlib.Path(file).absolute().as_uri() + '?mode=ro', uri=True)
        if self.pragma('application_id') != APPLICATION_ID:
            raise Unusable('%s is no store of AgentStateGraph' % file)
        if self.pragma('user_version') != LAYOUT:
            raise Unusable('%s has layout %d; this reader knows %d' % (file, self.pragma('user_version'), LAYOUT))
        self.name = b'/' + namespace.encode()
        found = self.rows('SELECT id FROM namespaces WHERE name = ?', self.name)
        if not found:
            raise Unusable('%s has no namespace %s' % (file, namespace))
        self.space = found[0][0]
        self.ids = {}

    def pragma(self, name):
        return self.rows('PRAGMA ' + name)[0][0]

    def rows(self, sql, *values):
        return self.database.execute(sql, values).fetchall()

    def row_id(self, seq):
        return self.space * SPAN + seq

    def named(self, table):
        """The rows of `refs` or `keys`, compared with their checksums; the row of the mark under its own name."""
        found = {}
        for name, value, kept in self.rows('SELECT name, value, checksum FROM %s WHERE namespace = ?' % table, self.space):
            demand(kept == checksum([self.name, table, name, value]), 'a row of %s is damaged', table)
            found[name] = value
        return found

    @functools.lru_cache(maxsize=64)
    def pack(self, seq):
        [(first,)] = self.rows('SELECT part FROM entries WHERE id = ?', self.row_id(seq))
        demand(first is not None, 'entry %d has no pack, and a pointer leads to it', seq)
        later = self.rows('SELECT first, bytes FROM parts WHERE entry = ? ORDER BY first', self.row_id(seq))
        return Pack(seq, [(0, first), *later])

    @functools.lru_cache(maxsize=4096)
    def record(self, seq, index, deltas=0):
        """The text and the provenance of a record, or None where it was trimmed."""
        pack = self.pack(seq)
        demand(index < len(pack.records), 'entry %d has no record %d', seq, index)
        data = Bytes(pack.records[index])
        kind = data.varint()
        if kind == TRIMMED:
            return None
        check = data.take(CHECK_LENGTH).decode('latin-1')
        provenance = data.take(data.varint())
        text = data.rest() if kind == WHOLE else self.spliced(seq, index, data, pack.pointer(data), deltas)
        demand(kind in (WHOLE, DELTA), 'record %d of entry %d is of kind %d', index, seq, kind)
        demand(check == leaf_of(id_of(text), provenance)[:CHECK_LENGTH], 'record %d of entry %d is damaged', index, seq)
        return text, provenance

    def spliced(self, seq, index, data, base, deltas):
        demand(base[0] < seq and deltas < MOST_DELTAS, 'record %d of entry %d has no base', index, seq)
        found = self.record(*base, deltas + 1)
        demand(found is not None, 'the base of record %d of entry %d was trimmed', index, seq)
        old, made = Bytes(found[0]), []
        while not data.is_empty():
            made.append(old.take(data.varint()))
            old.take(data.varint())
            made.append(data.take(data.varint()))
        return b''.join([*made, old.rest()])

    def node(self, seq, index):
        """A node: its kind, its content, and the pointers of its links in order."""
        found = self.record(seq, index)
        demand(found is not None, 'record %d of entry %d was trimmed, and a pointer leads to it', index, seq)
        text, provenance = found
        content = parsed(text.decode())
        data = Bytes(provenance)
        pointers = {}
        pack = self.pack(seq)

        def read_entry(value, key=None, is_linked=False):
            pack.writer(data)
            if is_linked:
                pointers[key] = pack.pointer(data)
            elif not is_tag(value) and isinstance(value, (dict, list)):
                inner = [value[name] for name in sorted(value, key=utf16)] if isinstance(value, dict) else value
                for each in inner:
                    read_entry(each)

        kind = content[0]
        if kind == 'map':
            for key in sorted({**content[1], **content[2]}, key=utf16):
                read_entry(content[2].get(key), key, key in content[1])
        elif kind == 'list':
            for place, value in enumerate(content[2]):
                read_entry(value, str(place), str(place) in content[1])
        elif kind in ('maps', 'lists', 'texts', 'bytess', 'values'):
            for place in range(len(content[2])):
                pointers[place] = pack.pointer(data)
        demand(data.is_empty(), 'record %d of entry %d has a provenance that is too long', index, seq)
        return content, pointers

    # States

    def value(self, pointer):
        """The stored value of the tree at a pointer."""
        content, pointers = self.node(*pointer)
        kind = content[0]
        if kind == 'map':
            return {**content[2], **{key: self.value(pointers[key]) for key in content[1]}}
        if kind == 'list':
            return [self.value(pointers[str(n)]) if str(n) in content[1] else each for n, each in enumerate(content[2])]
        if kind == 'value':
            return content[1]
        if kind == 'maps':
            return {key: each for n in pointers for key, each in self.value(pointers[n]).items()}
        if kind == 'lists':
            return [each for n in pointers for each in self.value(pointers[n])]
        pieces = self.pieces(pointer)
        if kind == 'bytess':
            return {'$bytes': base64.b64encode(b''.join(base64.b64decode(each) for each in pieces)).decode()}
        return ''.join(pieces) if kind == 'texts' else parsed(''.join(pieces))

    def pieces(self, pointer):
        """The pieces of a long value, in order."""
        content, pointers = self.node(*pointer)
        if content[0] in ('text', 'bytes'):
            return [content[1]]
        return [piece for n in pointers for piece in self.pieces(pointers[n])]

    # Checks

    def links(self, content, pointers):
        """The ids that a node names, each with the pointer beside it."""
        if content[0] in ('map', 'list'):
            return [(identifier, pointers[key]) for key, identifier in content[1].items()]
        at = 1 if content[0] == 'maps' else 0
        return [(child[at], pointers[place]) for place, child in enumerate(content[2])] if pointers else []

    def check_pack(self, seq, digest, roots):
        pack = self.pack(seq)
        self.ids[seq] = []
        leaves = []
        for index, record in enumerate(pack.records):
            found = self.record(seq, index)
            identifier = None if found is None else id_of(found[0])
            self.ids[seq].append(identifier)
            leaves.append(record[1:].decode('latin-1') if found is None else leaf_of(identifier, found[1]))
            for named, (entry, place) in [] if found is None else self.links(*self.node(seq, index)):
                demand(self.id_at(entry, place) == named, 'record %d of entry %d leads to another node', index, seq)
        demand(id_of(b'\x01' + pack.body + ''.join(leaves).encode()) == digest, 'the pack of entry %d is not the one that the entry names', seq)
        demand(len(pack.roots) == len(roots), 'the pack of entry %d has other roots than its commit', seq)
        for root, (entry, place) in zip(roots, pack.roots):
            demand(self.id_at(entry, place) in (root, None), 'the pack of entry %d has another root than its commit', seq)

    def id_at(self, seq, index):
        known = self.ids.get(seq)
        demand(known is not None and index < len(known), 'a pointer leads to entry %d, which has no record %d', seq, index)
        return known[index]

    def check_commit(self, seq, record, text, commit_hex, has_pack):
        demand(id_of(text.encode()) == record['commit'] and hex_of(record['commit']) == commit_hex, 'the commit of entry %d has another id', seq)
        commit = parsed(text)
        demand(int(commit['v']) == FORMAT, 'the commit of entry %d has another version', seq)
        if has_pack:
            self.check_pack(seq, record['pack'], [commit[name] for name in ('tree', 'system', 'detail') if name in commit])

    def check(self):
        """Checks every entry, and returns the leaves of the log and the commits."""
        leaves, commits, refs, newest = [], {}, {}, 0
        query = 'SELECT id, leaf, time, checksum, commit_id, later, text, commit_text, part IS NOT NULL FROM entries WHERE id BETWEEN ? AND ? ORDER BY id'
        for row, leaf, time, kept, commit_id, later, text, commit_text, has_pack in self.database.execute(query, (self.row_id(1), self.row_id(SPAN - 1))):
            seq = len(leaves) + 1
            demand(row == self.row_id(seq), 'entry %d is missing', seq)
            flags = (commit_id is not None) + 2 * (later is not None) + 4 * has_pack
            demand(kept == checksum([self.name, 'entries', seq, time, leaf, commit_id or '', later or 0, flags]), 'the row of entry %d is damaged', seq)
            data = text.encode()
            demand(leaf == id_of(b'\x00' + data), 'entry %d has another leaf', seq)
            leaves.append(hashlib.sha256(b'\x00' + data).digest())
            record = parsed(text)
            demand(int(record['v']) == FORMAT, 'entry %d has another version', seq)
            demand(milliseconds(record['time']) == time >= newest, 'entry %d has an impossible time', seq)
            newest = time
            if 'commit' in record:
                self.check_commit(seq, record, commit_text, commit_id, has_pack)
                commits[seq] = record['commit']
            for name, before, after in record.get('moves', []):
                demand(refs.get(name) == (None if before is None else int(before)), 'entry %d moves %s from where it is not', seq, name)
                refs[name] = None if after is None else int(after) or seq
        expected = {b'/' + name.encode(): seq for name, seq in refs.items() if seq is not None}
        demand(self.named('refs') == {**expected, MARK: len(leaves)}, 'the refs are not those of the entries')
        self.named('keys')
        return leaves, commits, refs


def merkle_root(leaves):
    """RFC 9162, section 2.1.1."""
    if len(leaves) < 2:
        return leaves[0] if leaves else hashlib.sha256(b'').digest()
    half = 1 << (len(leaves) - 1).bit_length() - 1
    return hashlib.sha256(b'\x01' + merkle_root(leaves[:half]) + merkle_root(leaves[half:])).digest()


def main(args, write, complain):
    """Runs the command and returns its exit code."""
    options = {'--namespace': 'default', '--branch': 'main'}
    files = []
    rest = list(args)
    while rest:
        word = rest.pop(0)
        if word in options and rest:
            options[word] = rest.pop(0)
        elif word.startswith('--'):
            complain(__doc__)
            return 0 if word == '--help' else 2
        else:
            files.append(word)
    try:
        if len(files) != 1:
            raise Unusable('one file has to be named; see --help')
        store = Store(files[0], options['--namespace'])
        leaves, commits, refs = store.check()
        complain('%d entries, %d commits, root of the log %s\n' % (len(leaves), len(commits), base64url(merkle_root(leaves))))
        head = refs.get('branch/' + options['--branch'])
        if head is None:
            raise Unusable('there is no branch %s' % options['--branch'])
        complain('branch %s at commit %s\n' % (options['--branch'], hex_of(commits[head])))
        write(canonical(store.value(store.pack(head).roots[0])) + '\n')
        return 0
    except Damaged as error:
        complain('damaged: %s\n' % error)
        return 1
    except (KeyError, TypeError, ValueError, IndexError) as error:
        complain('damaged: a text is not what the format says (%s)\n' % error)
        return 1
    except (Unusable, OSError, sqlite3.Error) as error:
        complain('read-store: %s\n' % error)
        return 2


if __name__ == '__main__':
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(encoding='utf-8', errors='backslashreplace')
    sys.exit(main(sys.argv[1:], sys.stdout.write, sys.stderr.write))
