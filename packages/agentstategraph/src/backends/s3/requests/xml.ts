/** What is read of answers in XML: the text of an element. */

const decoder = new TextDecoder()

/** The text of an element of an answer in XML. */
export function elementOf(body: Uint8Array, name: string): string | undefined {
  return new RegExp(`<${name}>([^<]*)</${name}>`).exec(decoder.decode(body))?.[1]
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** The text that was written with entities. */
export function unescaped(text: string): string {
  return text.replace(/&(?:#(\d+)|#x([0-9a-f]+)|(\w+));/gi, (_, decimal, hex, name) =>
    name === undefined
      ? String.fromCodePoint(decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal))
      : (entities[name] ?? ''),
  )
}
