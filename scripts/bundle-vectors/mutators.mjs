/**
 * What can be done to a bundle, each with the check that has to find it: `name: [bases, check, make]`.
 *
 * The expectation is written down by hand from docs/bundle.md; no verifier is asked. `make` takes the records of a good bundle
 * and gives the text (or the bytes) of a bad one; `bases` are the good bundles that it is applied to. Where the check
 * depends on the base, a fourth part says which.
 */
import { authorityMutators } from './authority-mutators.mjs'
import { commitMutators } from './commit-mutators.mjs'
import { entryMutators } from './entry-mutators.mjs'
import { lineMutators } from './line-mutators.mjs'
import { nodeMutators } from './node-mutators.mjs'
import { proofMutators } from './proof-mutators.mjs'
import { headerMutators, orderMutators, recordMutators } from './record-mutators.mjs'
import { sealMutators } from './seal-mutators.mjs'
import { signatureMutators } from './signature-mutators.mjs'

export const mutators = {
  ...lineMutators,
  ...recordMutators,
  ...orderMutators,
  ...headerMutators,
  ...proofMutators,
  ...entryMutators,
  ...commitMutators,
  ...authorityMutators,
  ...nodeMutators,
  ...sealMutators,
  ...signatureMutators,
}
