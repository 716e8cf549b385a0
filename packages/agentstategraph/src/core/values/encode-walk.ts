/**
 * The state of one encoding: the current path, the containers around it, and what was refused so far.
 *
 * It checks depth, cycles and sizes. The path is a stack of segments, formatted only for a refusal.
 */
import { defaultLimits, type Limits } from '../limits.ts'
import { formatPath } from '../paths/path.ts'
import { isWellFormed, type Stored, utf8Length } from '../text/stored.ts'
import type { ClassTable } from './class-codec.ts'
import { type Refusal, remedies, valueError } from './errors.ts'

export interface EncodeOptions {
  readonly limits?: Limits | undefined
  /** The segments of the path where the value will be put: refusals name full paths, and depth counts from the root. */
  readonly at?: readonly string[] | undefined
  /** The classes whose instances can be stored. */
  readonly classes?: ClassTable | undefined
  /** Called with each encrypted value and its path from the root. */
  readonly onEncrypted?: ((path: readonly string[], stored: Stored) => void) | undefined
}

export class EncodeWalk {
  readonly limits: Limits
  readonly classes: ClassTable | undefined
  readonly onEncrypted: EncodeOptions['onEncrypted']
  /** The segments from the value to the place that is being encoded; numbers are indexes of lists. */
  readonly segments: (string | number)[] = []
  readonly #at: readonly string[]
  readonly #containers: object[] = []
  readonly #refused: Refusal[] = []
  #leastBytes = 0

  constructor({ limits = defaultLimits, at = [], classes, onEncrypted }: EncodeOptions) {
    this.limits = limits
    this.classes = classes
    this.onEncrypted = onEncrypted
    this.#at = at
  }

  /** Records that the value at the current path cannot be stored. */
  refuse(remedy: keyof typeof remedies, type: string): void {
    this.#refused.push({ path: formatPath(this.path()), type, remedy: remedies[remedy] })
  }

  /** The current path, from the root. */
  path(): readonly string[] {
    return [...this.#at, ...this.segments.map(String)]
  }

  /** Enters a container that is not empty. Returns false, and does not enter, when it is too deep or a cycle. */
  enter(container: object): boolean {
    if (this.#containers.includes(container)) {
      this.refuse('cycle', 'a reference back to a container around it')
      return false
    }
    if (this.#at.length + this.#containers.length >= this.limits.depth) {
      this.refuse('depth', `nested deeper than ${this.limits.depth} levels`)
      return false
    }
    this.#containers.push(container)
    return true
  }

  leave(): void {
    this.#containers.pop()
  }

  /**
   * Counts a lower bound of the bytes of the canonical text, and ends the walk when they are too many already: shared
   * references can make the text of a small object grow exponentially.
   */
  count(leastBytes: number): void {
    this.#leastBytes += leastBytes
    if (this.#leastBytes > this.limits.valueBytes) throw this.#tooLarge()
  }

  /** Counts the keys of a map, if they are stored as they are, as far as one look at all of them tells. */
  hasPlainKeys(keys: readonly string[]): boolean {
    const all = keys.join()
    if (all.includes('$') || all.includes('__proto__') || !isWellFormed(all)) return false
    const longest = this.limits.segmentBytes / 3
    if (all.length > longest && keys.some(key => key.length > longest)) return false
    this.count(all.length + keys.length * 2)
    return true
  }

  /**
   * Copies and counts the fields of a map that are stored as they are, up to the first one that has to be looked at closer, and returns
   * the place of that one. Their keys were counted. Nearly all that is stored is such a field, and code that is not compiled yet should do little for each.
   */
  copyPlain(
    map: { readonly [key: string]: unknown },
    keys: readonly string[],
    from: number,
    into: { [key: string]: Stored },
  ): number {
    for (let i = from; i < keys.length; i++) {
      const key = keys[i]!
      const part = map[key]
      if (!this.admitsPlain(part)) return i
      into[key] = part
    }
    return keys.length
  }

  /** Counts a scalar that is stored as it is; false for any other value. */
  private admitsPlain(part: unknown): part is Stored {
    let size = 5
    if (typeof part === 'string') {
      size = part.length + 2
      if (part.length * 3 > this.limits.stringBytes || !isWellFormed(part)) return false
    } else if (typeof part === 'number') {
      size = 2
      // The difference is 0 for finite numbers only, and a division distinguishes the zeros.
      if (part - part !== 0 || (part === 0 && 1 / part < 0)) return false
    } else if (part !== null && typeof part !== 'boolean') return false
    this.count(size)
    return true
  }

  /** Counts a text; false when it may not be stored at the current path. */
  admitsText(text: string): boolean {
    const { length } = text
    this.count(length + 2)
    const { stringBytes } = this.limits
    if (length * 3 > stringBytes && utf8Length(text) > stringBytes) {
      this.refuse('string', `a string of more than ${stringBytes} bytes`)
      return false
    }
    if (isWellFormed(text)) return true
    this.refuse('surrogate', 'a string with a lone surrogate')
    return false
  }

  /** Counts the key of the current path, and refuses it when it is too long or not well-formed. */
  admitKey(key: string): void {
    const { length } = key
    this.count(length + 3)
    const { segmentBytes } = this.limits
    if (length * 3 > segmentBytes && utf8Length(key) > segmentBytes) {
      this.refuse('key', `a key of more than ${segmentBytes} bytes`)
    }
    if (!isWellFormed(key)) this.refuse('surrogate', 'a key with a lone surrogate')
  }

  /** Ends the walk: throws when anything was refused, or when the text is too large. `textBytes` is called only in doubt. */
  finish(textBytes: () => number): void {
    if (this.#refused.length > 0) throw valueError('value-refused', { refused: this.#refused })
    // No text has more than 16 times the bytes that are counted for it.
    if (this.#leastBytes * 16 > this.limits.valueBytes && textBytes() > this.limits.valueBytes) throw this.#tooLarge()
  }

  #tooLarge(): Error {
    this.segments.length = 0
    this.refuse('size', `a value of more than ${this.limits.valueBytes} bytes`)
    return valueError('value-refused', { refused: this.#refused })
  }
}
