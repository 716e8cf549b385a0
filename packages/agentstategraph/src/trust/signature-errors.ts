/** The errors of checking signatures: all that a verifier of bundles throws. */

import { type ErrorMaker, errorsOf, type Wording } from '../core/index.ts'

/** What each error code of checking signatures carries. */
export interface SignatureErrors {
  'head-invalid': { readonly what: string }
  'key-invalid': { readonly key: string }
  'signatures-unsupported': { readonly reason: string }
}

export const signatureWords: Wording<SignatureErrors> = {
  'head-invalid': ({ what }) => [
    `${what} is not a signed head.`,
    'A head is a text of three lines, an empty line and signatures, as it came with a receipt, an epoch or a bundle.',
  ],
  'key-invalid': ({ key }) => [
    `${JSON.stringify(key)} is not a verifier key.`,
    'One looks like name+0a1b2c3d+base64; createKeyFile gives it, and the signer has it as verifierKey.',
  ],
  'signatures-unsupported': ({ reason }) => [
    `Signatures cannot be checked here: ${reason}.`,
    'Open the page over https, on localhost or from a file, in a current browser, or use verify.mjs or verify.py.',
  ],
}

/** Makes the errors of checking signatures. */
export const signatureError: ErrorMaker<SignatureErrors> = errorsOf(signatureWords)
