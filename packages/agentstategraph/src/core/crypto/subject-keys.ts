/**
 * The keys of subjects: those whose data a repository holds, and who may ask for it to be erased.
 *
 * This is what a place that keeps such keys promises. It answers at once, because values are sealed and opened in the
 * middle of writes and reads; one whose keys are far away fetches them before they are asked for.
 */

/** A key of one subject. */
export interface SubjectKey {
  readonly id: string
  /** Encrypts so that equal bytes give equal bytes. */
  seal(plain: Uint8Array): Uint8Array
  /** Decrypts; undefined when the bytes were not sealed with this key, or were changed since. */
  open(sealed: Uint8Array): Uint8Array | undefined
}

/** What is left of a key that was destroyed. */
export interface DestroyedKey {
  readonly id: string
  readonly subject: string
  /** ISO 8601. */
  readonly erasedAt: string
}

export interface SubjectKeys {
  /**
   * The key that new values of a subject are sealed with. It is made, and kept safely, when there is none or when the
   * last one was destroyed; two that make one at the same time get the same.
   */
  current(subject: string): SubjectKey
  /** The key of an id, or what is left of it; undefined for one that never was here. */
  find(id: string): SubjectKey | DestroyedKey | undefined
  /** Destroys the keys of a subject, for everybody and at once. Gives all that ever were destroyed, oldest first. */
  destroy(subject: string, erasedAt: string): readonly DestroyedKey[] | Promise<readonly DestroyedKey[]>
}

/** Whether a key is one that was destroyed. */
export function isDestroyed(key: SubjectKey | DestroyedKey): key is DestroyedKey {
  return 'erasedAt' in key
}
