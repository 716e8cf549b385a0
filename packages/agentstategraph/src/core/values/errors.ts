/** The errors of values: what cannot be stored, and what cannot be read. */

import { type ErrorMaker, errorsOf } from '../errors.ts'

/** A place in a value that cannot be stored, and what to do about it. */
export interface Refusal {
  readonly path: string
  readonly type: string
  readonly remedy: string
}

/** What to do about each kind of refusal. */
export const remedies = {
  function: 'Store data that names what to call, and keep the function in code.',
  symbol: 'Use a string in place of the symbol.',
  promise: 'Await it, and store the result.',
  cycle: 'Store an id or a path in place of the reference back.',
  surrogate: 'Repair the text so that every surrogate has its pair, or store the bytes.',
  instance:
    'Register its class with a codec, { type, tag, encode, decode } in classes, or store its data as a plain object.',
  error: 'Register its class with a codec, { type, tag, encode, decode } in classes, or store a plain Error.',
  encode: 'Repair the encode of its codec.',
  boxed: 'Store the primitive inside it, which valueOf() gives.',
  hidden: 'Make the property enumerable, or leave it out.',
  holes: 'Fill the holes, with undefined or null.',
  extra: 'Store the extra properties in an object of their own.',
  resizable: 'Store a copy of fixed length, which slice() gives.',
  lastIndex: 'Set lastIndex to an integer of 0 or more.',
  encrypted: 'Write only what changes. Branches, merges, exports and pulls carry encrypted values as they are.',
  depth: 'Store the inner part under a shorter path, or raise limits.depth.',
  key: 'Use a shorter key and store the long text as a value, or raise limits.segmentBytes.',
  string: 'Split the text, or raise limits.stringBytes.',
  bigint: 'Store it in parts, or as bytes, or raise limits.bigintDigits.',
  size: 'Store the value in several writes, or raise limits.valueBytes.',
} as const

/** What each code of values carries. Codes are public API. */
export interface ValueErrors {
  'value-refused': { readonly refused: readonly Refusal[] }
  'value-unreadable': {
    readonly path: string
    readonly tag: string
    /** The tag of the codec that is missing or failed, and why. */
    readonly class?: string
    readonly reason?: string
  }
  'class-invalid': { readonly tag: string; readonly reason: string }
  'json-invalid': { readonly line: number; readonly column: number; readonly reason: string }
}

const namedAtMost = 10
const remediesAtMost = 3

/** Makes the errors of values. */
export const valueError: ErrorMaker<ValueErrors> = errorsOf<ValueErrors>({
  'value-refused': ({ refused }) => [
    `${refused.length === 1 ? 'A value cannot be stored' : `${refused.length} values cannot be stored`}: ${listed(refused)}.`,
    [...new Set(refused.map(({ remedy }) => remedy))].slice(0, remediesAtMost).join(' '),
  ],
  'value-unreadable': ({ path, tag, class: name, reason }) =>
    name === undefined
      ? [
          `The value at ${path} is stored as "${tag}" in a way that this version cannot read.`,
          'Read it with the version that wrote it, or write the value again.',
        ]
      : [
          `The value at ${path} is an instance of the class "${name}" and cannot be made: ${reason}.`,
          `Open the store with the codec that wrote it: classes: [{ type, tag: ${JSON.stringify(name)}, encode, decode }].`,
        ],
  'class-invalid': ({ tag, reason }) => [
    `The codec of the class ${JSON.stringify(tag)} cannot be registered: ${reason}.`,
    'A codec is { type, tag, encode, decode }, with a tag and a class that no other codec has.',
  ],
  'json-invalid': ({ line, column, reason }) => [
    `The JSON text is refused at line ${line}, column ${column}: ${reason}.`,
    'Nothing was read of it. Correct it and try again.',
  ],
})

function listed(refused: readonly Refusal[]): string {
  const named = refused.slice(0, namedAtMost).map(({ path, type }) => `${path} (${type})`)
  const more = refused.length - named.length
  return more > 0 ? `${named.join(', ')} and ${more} more` : named.join(', ')
}
