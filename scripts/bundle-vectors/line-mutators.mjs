/** Lines that are not what a line has to be: cut, doubled, spaced, escaped, encoded or nested otherwise. */
import { endedLines } from './bundle-lines.mjs'
import { every, lines, relined } from './mutator-tools.mjs'

export const lineMutators = {
  'nothing-at-all': [['tiny'], 'line', () => ''],
  'truncate-within-a-line': [every, 'line', all => lines(all).join('').slice(0, -20)],
  'truncate-the-last-line-feed': [every, 'line', all => lines(all).join('').slice(0, -1)],
  'truncate-the-end': [every, 'order', all => lines(all).slice(0, -1).join('')],
  'byte-order-mark': [['tiny', 'log'], 'line', all => `\ufeff${lines(all).join('')}`],
  'blank-line': [every, 'line', relined('prior', text => `${text}\n`)],
  'carriage-returns': [['tiny', 'log'], 'line', all => lines(all).join('').replaceAll('\n', '\r\n')],
  'space-in-a-line': [every, 'line', relined('checkpoint', text => text.replace('{', '{ '))],
  'duplicate-key': [every, 'line', relined('header', text => text.replace('{"epoch"', '{"epoch":"x","epoch"'))],
  'unsorted-keys': [every, 'line', relined('prior', text => text.replace(/^\{(.*),("type":"prior")\}/, '{$2,$1}'))],
  'longer-escape': [['tiny', 'log'], 'line', relined('entry', text => text.replace('"type"', '"t\\u0079pe"'))],
  'upper-case-escape': [
    ['hostileText'],
    'line',
    all =>
      endedLines(
        lines(all.slice(0, -1)).map(text =>
          text.replace('\\\\u001b', '\\\\u001B').replace('"type":"entry"', '"\\u0074ype":"entry"'),
        ),
      ),
  ],
  'lone-surrogate': [['tiny'], 'line', relined('header', text => text.replace('"q1"', '"q\\ud800"'))],
  'bytes-that-are-no-text': [
    ['tiny', 'log'],
    'line',
    all => Buffer.concat([Buffer.from(lines(all)[0]), Buffer.from([0x7b, 0xff, 0xfe, 0x0a])]),
  ],
  'overlong-text-encoding': [
    ['tiny'],
    'line',
    all =>
      Buffer.from(lines(all).join('').replace('"q1"', '"q\u0001"'), 'utf8').map((byte, i, bytes) =>
        byte === 1 ? 0xc0 : bytes[i - 1] === 1 ? 0x80 : byte,
      ),
  ],
  'deep-nesting': [
    ['tiny'],
    'line',
    relined('prior', () => `{"hashes":${'['.repeat(3000)}${']'.repeat(3000)},"type":"prior"}\n`),
  ],
  'unclosed-nesting': [['tiny'], 'line', relined('prior', () => `${'['.repeat(4000)}\n`)],
  'huge-number': [['tiny', 'log'], 'line', relined('header', text => text.replace('"version":2', '"version":1e400'))],
  'number-with-many-digits': [
    ['tiny'],
    'line',
    relined('header', text => text.replace('"version":2', `"version":${'9'.repeat(5000)}`)),
  ],
  'number-beyond-exactness': [
    ['tiny'],
    'line',
    relined('header', text => text.replace('"version":2', '"version":9007199254740993')),
  ],
  'fraction-in-a-line': [
    ['tiny', 'log'],
    'line',
    relined('header', text => text.replace('"version":2', '"version":2.5')),
  ],
  'number-written-otherwise': [
    ['tiny'],
    'line',
    relined('header', text => text.replace('"version":2', '"version":2.0')),
  ],
  'minus-zero': [['tiny'], 'line', relined('header', text => text.replace('"version":2', '"version":-0'))],
  'not-a-number': [['tiny'], 'line', relined('header', text => text.replace('"version":2', '"version":NaN'))],
  'a-line-that-is-a-list': [['tiny'], 'line', relined('prior', () => '[]\n')],
}
