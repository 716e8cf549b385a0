/**
 * Classes whose instances can be stored, because the program registered a codec.
 *
 * A codec is for the instances of exactly its class: a subclass may hold more than the codec knows, so it needs a codec of
 * its own. The tag is stored and must stay when the class is renamed. This file knows neither paths nor the stored form.
 */

import { viewNames } from '../objects/built-in.ts'
import { isWellFormed, utf8Length } from '../text/stored.ts'
import { errorClassNames } from './built-in-error.ts'
import { valueError } from './errors.ts'
import type { Value } from './storable.ts'

/** How the instances of one class are stored: `decode(encode(x))` is an instance equal to `x`. */
export interface ClassCodec<T = any> {
  readonly type: abstract new (...args: any[]) => T
  /** Stored beside the data; unique among the classes of a store, and never changed. */
  readonly tag: string
  encode(value: T): Value
  decode(data: any): T
}

const maxTagBytes = 256
const storedAnyway = ['Object', 'Array', 'ArrayBuffer', 'Date', 'Map', 'RegExp', 'Set', 'URL']
const storedNames: readonly string[] = [...storedAnyway, ...viewNames, ...errorClassNames]

/** The codecs of an open store, found by instance and by tag. */
export class ClassTable {
  readonly #byPrototype = new Map<object, ClassCodec>()
  readonly #byTag = new Map<string, ClassCodec>()

  constructor(codecs: readonly ClassCodec[] = []) {
    this.add(codecs)
  }

  /** Adds codecs, all or none. Adding a codec again has no effect. */
  add(codecs: readonly ClassCodec[]): void {
    const added = [...new Set(codecs)].filter(codec => this.#byTag.get(codec?.tag) !== codec)
    const tags = new Set(this.#byTag.keys())
    const prototypes = new Set(this.#byPrototype.keys())
    for (const codec of added) {
      assertCodec(codec)
      const prototype = codec.type.prototype as object
      if (tags.has(codec.tag)) throw invalid(codec, 'another class has this tag')
      if (prototypes.has(prototype)) throw invalid(codec, `the class ${codec.type.name} has a codec already`)
      tags.add(codec.tag)
      prototypes.add(prototype)
    }
    for (const codec of added) {
      this.#byTag.set(codec.tag, codec)
      this.#byPrototype.set(codec.type.prototype as object, codec)
    }
  }

  findFor(value: object): ClassCodec | undefined {
    return this.#byPrototype.get(Object.getPrototypeOf(value) as object)
  }

  find(tag: string): ClassCodec | undefined {
    return this.#byTag.get(tag)
  }
}

function assertCodec(codec: ClassCodec): void {
  if (typeof codec !== 'object' || codec === null) throw invalid({ tag: '' }, 'it is no object')
  const { type, tag, encode, decode } = codec
  if (typeof tag !== 'string' || tag === '' || !isWellFormed(tag)) throw invalid(codec, 'its tag is no text')
  if (utf8Length(tag) > maxTagBytes) throw invalid(codec, `its tag has more than ${maxTagBytes} bytes`)
  const prototype: unknown = typeof type === 'function' ? type.prototype : undefined
  if (typeof prototype !== 'object' || prototype === null) throw invalid(codec, 'its type is no class')
  if (typeof encode !== 'function' || typeof decode !== 'function') throw invalid(codec, 'it needs encode and decode')
  const globals = globalThis as unknown as Readonly<Record<string, unknown>>
  if (storedNames.includes(type.name) && globals[type.name] === type) {
    throw invalid(codec, `${type.name} is stored without a codec`)
  }
}

function invalid({ tag }: { readonly tag: string }, reason: string): Error {
  return valueError('class-invalid', { tag: String(tag), reason })
}
