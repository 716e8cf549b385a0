/**
 * The contract for a store of encryption keys, one or more for each data subject, which `erase` destroys.
 *
 * The calls are synchronous, because values are encrypted and decrypted in the middle of writes and reads. An
 * implementation whose keys are remote loads them beforehand.
 */

/** A key of one subject. */
export interface SubjectKey {
  readonly id: string
  /** Encrypts deterministically, for a `protect` pattern: equal plaintexts under one pattern give equal ciphertexts. */
  encrypt(plain: Uint8Array, pattern: string): Uint8Array
  /** Returns undefined when the bytes were encrypted with another key, for another pattern, or changed since. */
  decrypt(encrypted: Uint8Array, pattern: string): Uint8Array | undefined
}

/** The record that remains of a destroyed key. */
export interface DestroyedKey {
  readonly id: string
  readonly subject: string
  /** ISO 8601. */
  readonly erasedAt: string
}

/** Keys of subjects, kept apart from any store: made on first use, and destroyed to erase a subject's values. */
export interface SubjectKeys {
  /**
   * The key for new values of a subject. It is created and stored durably when the subject has none or its last one was
   * destroyed. Two concurrent callers get the same key.
   */
  current(subject: string): SubjectKey
  /** The key with this id, or the record of its destruction; undefined when this store never had it. */
  find(id: string): SubjectKey | DestroyedKey | undefined
  /** Destroys the keys of a subject, with effect in every process. Returns all its destroyed keys, oldest first. */
  destroy(subject: string, erasedAt: string): readonly DestroyedKey[] | Promise<readonly DestroyedKey[]>
}

export function isDestroyed(key: SubjectKey | DestroyedKey): key is DestroyedKey {
  return 'erasedAt' in key
}
