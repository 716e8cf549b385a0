/** A failed check of a bundle, named as in docs/bundle.md. */

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
  | 'access'
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
  | 'authority'

/** Thrown while a bundle is read; the verdict reports it. */
export class BundleFault extends Error {
  readonly check: BundleCheck

  constructor(check: BundleCheck, detail: string) {
    super(detail)
    this.check = check
  }
}
