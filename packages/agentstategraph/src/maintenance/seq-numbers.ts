/**
 * A number for each of many entries, in eight bytes: a map by sequence number would take ten times as much.
 *
 * Pages are made when they are written to, so a few entries of a long journal take little.
 */

const PAGE = 256

export class SeqNumbers {
  readonly #pages = new Map<number, Float64Array>()
  #count = 0

  /** How many entries have a number. */
  get count(): number {
    return this.#count
  }

  get(seq: number): number | undefined {
    const number = this.#pages.get(Math.floor(seq / PAGE))?.[seq % PAGE]
    return number === undefined || Number.isNaN(number) ? undefined : number
  }

  set(seq: number, number: number): void {
    const page = this.#pageOf(seq)
    if (Number.isNaN(page[seq % PAGE])) this.#count++
    page[seq % PAGE] = number
  }

  delete(seq: number): void {
    if (this.get(seq) === undefined) return
    this.#pageOf(seq)[seq % PAGE] = Number.NaN
    this.#count--
  }

  /** The entries that have a number, with it. */
  *entries(): Generator<readonly [seq: number, number: number]> {
    for (const [at, page] of this.#pages) {
      for (const [i, number] of page.entries()) if (!Number.isNaN(number)) yield [at * PAGE + i, number]
    }
  }

  #pageOf(seq: number): Float64Array {
    const at = Math.floor(seq / PAGE)
    const page = this.#pages.get(at) ?? new Float64Array(PAGE).fill(Number.NaN)
    this.#pages.set(at, page)
    return page
  }
}
