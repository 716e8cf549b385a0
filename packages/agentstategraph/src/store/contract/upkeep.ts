/**
 * The contract of caring for what a backend stores beside a journal: refs, idempotency keys and indexes.
 *
 * All of it is derived from the entries, so it can be made again. A backend detects damage of it by itself; what the entries
 * say is for the users of this contract to find out.
 */

/** Something that is damaged. */
export interface UpkeepFault {
  readonly where: string
  readonly what: string
}

/** A ref or key, and the entry that it leads to. */
export interface DerivedCell {
  readonly name: string
  readonly seq: number
}

/** What is derived from the entries of a journal. */
export interface DerivedCells {
  /** The newest entry. */
  readonly newest: number
  readonly refs: readonly DerivedCell[]
  /** Idempotency keys, with the entries that they wrote. */
  readonly keys: readonly DerivedCell[]
}

/** A cell that was not what the entries say; `null` stands for no cell, and undefined for one that could not be read. */
export interface RebuiltCell {
  readonly kind: 'ref' | 'key' | 'commit'
  readonly name: string
  readonly from: number | null | undefined
  readonly to: number | null
}

/** Finds and replaces damaged cells. */
export interface LogUpkeep {
  /** Reads everything that is stored beside the entries, and names what is damaged. */
  inspect(): Promise<readonly UpkeepFault[]>
  /**
   * Replaces refs, keys and what says where the journal ends, and empties all indexes. Gives the cells that changed, or
   * undefined when there are entries after `newest`; then nothing was changed.
   */
  rebuild(cells: DerivedCells): Promise<readonly RebuiltCell[] | undefined>
}
