/** Values as people read them: what kind each is, and a short text. Values beyond JSON come in tags such as `{"$date": …}`. */
export type ValueKind =
  | 'text'
  | 'number'
  | 'big number'
  | 'boolean'
  | 'null'
  | 'map'
  | 'list'
  | 'date'
  | 'bytes'
  | 'special'

export interface ValueText {
  readonly kind: ValueKind
  readonly text: string
}

export const SHORT_TEXT = 160

export function textOf(value: unknown): ValueText {
  if (value === null) return { kind: 'null', text: 'null' }
  if (Array.isArray(value)) return { kind: 'list', text: `${value.length} ${value.length === 1 ? 'item' : 'items'}` }
  if (typeof value === 'object') return tagged(value as Readonly<Record<string, unknown>>)
  if (typeof value === 'string') return { kind: 'text', text: value }
  return { kind: typeof value === 'number' ? 'number' : 'boolean', text: String(value) }
}

/** A value of a tag is a leaf; a key of a user that begins with `$` comes with one more. */
function tagged(value: Readonly<Record<string, unknown>>): ValueText {
  const keys = Object.keys(value)
  const [key = ''] = keys
  if (keys.length !== 1 || !/^\$[a-z]/i.test(key)) {
    return { kind: 'map', text: `${keys.length} ${keys.length === 1 ? 'entry' : 'entries'}` }
  }
  const content = value[key]
  if (key === '$date') return { kind: 'date', text: String(content) }
  if (key === '$bytes') return { kind: 'bytes', text: `${bytesIn(String(content))} bytes` }
  if (key === '$bigint') return { kind: 'big number', text: String(content) }
  if (key === '$sealed') return { kind: 'special', text: 'encrypted, cannot be read' }
  return { kind: 'special', text: `${key.slice(1)} ${content === true ? '' : JSON.stringify(content)}`.trim() }
}

function bytesIn(base64: string): number {
  const digits = base64.replace(/=+$/, '').length
  return Math.floor((digits * 3) / 4)
}

/** Characters that a terminal or a page would act on instead of showing: controls, and marks that change the direction of text. */
const hidden = /(?![\t\n])[\p{Cc}\p{Cf}]/gu

/** A text whose hidden characters can be seen. */
export function visible(text: string): string {
  return text.replace(hidden, character => {
    const code = character.codePointAt(0)!.toString(16)
    return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`
  })
}

export function shortened(text: string, most = SHORT_TEXT): string {
  return text.length <= most ? text : `${text.slice(0, most)}…`
}

/** The bytes of an image that browsers draw, as a data URL; undefined for other bytes. */
export function findImage(value: unknown): string | undefined {
  const base64 = (value as { readonly $bytes?: unknown } | null)?.$bytes
  if (typeof base64 !== 'string') return undefined
  const standard = base64.replaceAll('-', '+').replaceAll('_', '/')
  const type = [
    ['iVBORw0KGgo', 'png'],
    ['/9j/', 'jpeg'],
    ['R0lGOD', 'gif'],
    ['UklGR', 'webp'],
  ].find(([beginning = '']) => standard.startsWith(beginning))?.[1]
  return type === undefined ? undefined : `data:image/${type};base64,${standard}`
}
