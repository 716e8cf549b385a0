/** What is wrong with a bundle: the name of the check that failed, and what it found. Names are those of docs/bundle.md. */

export type BundleCheck =
  | 'line'
  | 'record'
  | 'order'
  | 'version'
  | 'header'
  | 'prior'
  | 'since'
  | 'keychain'
  | 'checkpoint'
  | 'missing-node'
  | 'withheld'
  | 'entry'
  | 'commit'
  | 'moves'
  | 'node'
  | 'unneeded-node'
  | 'end'
  | 'root'
  | 'seal'
  | 'genesis'
  | 'dropped'
  | 'extends-origin'
  | 'extends-root'
  | 'signature-wrong'
  | 'signature-missing'
  | 'witness-wrong'

/** Thrown inside the reading of a bundle, and told in its verdict. */
export class BundleFault extends Error {
  readonly check: BundleCheck

  constructor(check: BundleCheck, detail: string) {
    super(detail)
    this.check = check
  }
}
