/** Bodies that are not what they should be: told with line and column, before anything of them is used. */
import { setting } from './support/open-app.ts'
import { ask, refuses, set } from './support/refusals.ts'

const withValue = (text: string): string => `{"path":"/x","description":"w","value":${text}}`
const value = (text: string) => set(withValue(text))
const levels = (count: number): string => '['.repeat(count) + ']'.repeat(count)
const large = withValue(`"${'x'.repeat(64 * 1024)}"`)
const one = setting('/x', 1)

refuses('what a body is', [
  ['JSON as text/plain', set(one, { 'content-type': 'text/plain' }), 415, 'media-type-unsupported'],
  ['a form', set('a=b', { 'content-type': 'application/x-www-form-urlencoded' }), 415, 'media-type-unsupported'],
  ['JSON in UTF-16', set(one, { 'content-type': 'application/json; charset=utf-16' }), 415, 'media-type-unsupported'],
  ['a gzipped body', set(one, { 'content-encoding': 'gzip' }), 415, 'encoding-unsupported'],
  ['a body over the limit', set(large), 413, 'body-too-large', '65536'],
  ['a body that promised less', set(large, { 'content-length': '10' }), 413, 'body-too-large'],
  ['an empty body', set(''), 400, 'body-not-an-object', 'empty'],
  ['no body', ask('POST', '/api/state/main/set'), 400, 'input-invalid', 'path'],
  ['null', set('null'), 400, 'body-not-an-object', 'null'],
  [
    'a body of a DELETE',
    ask('DELETE', '/api/branches/feature/net', '{}', { 'content-length': '2' }),
    400,
    'body-unexpected',
  ],
  ['a list', set('[]'), 400, 'body-not-an-object', 'list'],
  ['a string', set('"x"'), 400, 'body-not-an-object', 'string'],
])

refuses('what JSON is', [
  ['JSON that is cut', set('{"path":"/x"'), 400, 'body-refused', 'ends too early'],
  ['text after the JSON', set('{"path":"/x"} and'), 400, 'body-refused', 'column 15'],
  ['a byte order mark', set(`\ufeff${withValue('1')}`), 400, 'body-not-utf8', 'byte order mark'],
  ['no UTF-8', set(Uint8Array.from([0x7b, 0x22, 0xc3, 0x28, 0x22, 0x7d])), 400, 'body-not-utf8'],
  ['the same key twice', set('{"a":1,"a":2}'), 400, 'body-refused', '/a'],
  ['the same key twice, far down', value('{"b":{"c":1,"c":1}}'), 400, 'body-refused', '/value/b/c'],
  ['half a character', value('"\\ud800"'), 400, 'body-refused', 'surrogate'],
  ['half a character in a key', value('{"\\udc00":1}'), 400, 'body-refused', 'surrogate'],
  ['NaN', value('NaN'), 400, 'body-refused'],
  ['Infinity', value('Infinity'), 400, 'body-refused'],
  ['1e400', value('1e400'), 400, 'body-refused', 'too large'],
  ['9007199254740993', value('9007199254740993'), 400, 'body-refused', 'as a string'],
  ['a comment', set('{/* */}'), 400, 'body-refused'],
  ['a comma too many', set('{"path":"/x",}'), 400, 'body-refused'],
  ['a number with a zero before', value('01'), 400, 'body-refused'],
  ['a control character', value('"\u0001"'), 400, 'body-refused', 'control'],
  ['a value of 66 levels', value(levels(66)), 422, 'value-refused'],
  ['a value of 100 levels', value(levels(100)), 400, 'body-refused', 'nested'],
  ['30000 levels', set('['.repeat(30_000)), 400, 'body-refused', 'nested'],
  ['a tag that means nothing', value('{"$nonsense":1}'), 400, 'tag-invalid', '$$nonsense'],
  ['encrypted text of a store', value('{"$sealed":["k","/{subject}","AAAA"]}'), 400, 'tag-invalid', 'callers'],
  ['encrypted text inside', value('{"a":[{"$sealed":["k","/{subject}","AAAA"]}]}'), 400, 'tag-invalid', '$sealed'],
])
