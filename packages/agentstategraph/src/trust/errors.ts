/** The errors of epochs, bundles and erasure. */

import { type ErrorMaker, errorsOf } from '../core/index.ts'
import type {} from '../repository/errors.ts'
import { type SignatureErrors, signatureWords } from './signature-errors.ts'

/** What each error code of trust carries. */
export interface TrustErrors extends SignatureErrors {
  'export-invalid': { readonly reason: string }
  'bundle-invalid': { readonly epoch: string | undefined; readonly check: string; readonly detail: string }
  'bundle-read-only': { readonly epoch: string }
  'state-withheld': { readonly epoch: string }
  'epoch-exists': { readonly epoch: string }
  'epoch-id-invalid': { readonly epoch: string; readonly reason: string }
  'epoch-sealed': { readonly epoch: string }
  'epoch-open': { readonly epoch: string }
  'epoch-unsigned': { readonly epoch: string }
  'witness-ahead': { readonly epoch: string; readonly seen: number; readonly size: number }
  'cosignature-wrong': { readonly epoch: string; readonly key: string }
  'root-intents-many': { readonly count: number; readonly limit: number }
  'signer-missing': { readonly what: string }
  'key-name-invalid': { readonly name: string }
  'key-same': { readonly key: string }
  'key-file-exists': { readonly file: string }
  'key-file-invalid': { readonly file: string; readonly reason: string }
  'history-whole': Record<string, never>
  'protection-missing': { readonly subject: string }
  'subject-unknown': { readonly subject: string }
}

declare module '../repository/errors.ts' {
  interface StateErrorData extends TrustErrors {}
}

/** Makes the errors of this layer. */
export const trustError: ErrorMaker<TrustErrors> = errorsOf<TrustErrors>({
  ...signatureWords,
  'export-invalid': ({ reason }) => [
    `The epoch cannot be exported with these options: ${reason}.`,
    'Nothing was written. Correct them and try again.',
  ],
  'bundle-invalid': ({ epoch, check, detail }) => [
    `The bundle${epoch === undefined ? '' : ` of ${epoch}`} cannot be trusted: the check "${check}" failed. ${detail}`,
    'Nothing was read from it. The verdict lists the checks; get the bundle again through another channel.',
  ],
  'bundle-read-only': ({ epoch }) => [
    `The bundle of ${epoch} can only be read.`,
    'Write to the store that it was exported from.',
  ],
  'state-withheld': ({ epoch }) => [
    `This part of the state is not in the bundle of ${epoch}.`,
    'Its first line lists what it contains: ask for a bundle of the profile full, or with more paths.',
  ],
  'epoch-exists': ({ epoch }) => [
    `There is an epoch "${epoch}" already.`,
    'Choose another id: epochs are never reopened.',
  ],
  'epoch-id-invalid': ({ epoch, reason }) => [
    `${JSON.stringify(epoch)} is not an id for an epoch: ${reason}.`,
    'Use a short name such as 2026-04-incident.',
  ],
  'epoch-sealed': ({ epoch }) => [
    `The epoch "${epoch}" is sealed.`,
    'Nothing was changed. Open another epoch for what comes after it.',
  ],
  'epoch-open': ({ epoch }) => [
    `The epoch "${epoch}" is still open.`,
    'Seal it first: only a sealed epoch can be signed, archived or exported.',
  ],
  'epoch-unsigned': ({ epoch }) => [
    `The epoch "${epoch}" is not signed, and a witness signs only what its log has signed.`,
    'Open the repository with its key, and sign the epoch: epochs(repo).sign(id).',
  ],
  'witness-ahead': ({ epoch, seen, size }) => [
    `The epoch "${epoch}" has a head of size ${size}, which cannot extend a head of size ${seen}.`,
    'Give the size of the last head that the witness signed, and let it sign epochs in the order of their seals.',
  ],
  'cosignature-wrong': ({ epoch, key }) => [
    `The answer is not a signature of the head of "${epoch}" by the witness ${JSON.stringify(key)}.`,
    'Nothing was stored. Give the unchanged answer to the request of this epoch, and the public key of that witness.',
  ],
  'root-intents-many': ({ count, limit }) => [
    `An epoch can have ${limit} root intents, and ${count} were given.`,
    'Give a common parent of these intents.',
  ],
  'signer-missing': ({ what }) => [
    `The repository was opened without a key, which ${what} needs.`,
    'Open it with signer: await keyFileSigner(file).',
  ],
  'key-name-invalid': ({ name }) => [
    `${JSON.stringify(name)} is not a name for a key: it must not be empty or have spaces or "+".`,
    'Use a name that says whose key it is, such as example.org/agents.',
  ],
  'key-same': ({ key }) => [`The key ${key} is the current key already.`, 'Give another key to replace it.'],
  'key-file-exists': ({ file }) => [
    `There is a file "${file}" already.`,
    'A key is never overwritten: choose another name, or use the key that is there.',
  ],
  'key-file-invalid': ({ file, reason }) => [
    `"${file}" cannot be used as a key: ${reason}.`,
    'Make a key with createKeyFile, or restore the file from a backup.',
  ],
  'history-whole': () => [
    'There is no missing history to accept.',
    'Open the repository with its key: it then compares the history with the mark.',
  ],
  'protection-missing': ({ subject }) => [
    `Nothing of "${subject}" can be erased: this repository was opened without protection.`,
    'Open it with protect, giving the patterns and the place of the keys that its values were encrypted with.',
  ],
  'subject-unknown': ({ subject }) => [
    `There is nothing to erase: no key was ever made for "${subject}".`,
    'Check the spelling: a subject is a segment of a path, such as "ann" in "/users/ann/profile".',
  ],
})
