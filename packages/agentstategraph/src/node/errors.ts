/** The errors of this layer: private files that cannot be used. */
import { type ErrorMaker, errorsOf } from '../core/errors.ts'

/** What each code of this layer carries. Codes are public API. */
export interface NodeErrors {
  'subject-key-damaged': { readonly file: string }
}

/** Makes the errors of this layer. */
export const nodeError: ErrorMaker<NodeErrors> = errorsOf<NodeErrors>({
  'subject-key-damaged': ({ file }) => [
    `"${file}" cannot be read as the key of a subject.`,
    "Restore it from a backup of the keys' folder. Without it, what was encrypted with it cannot be read.",
  ],
})
