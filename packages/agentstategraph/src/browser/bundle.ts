/** Bundles in a browser, to verify and to read: an entry of its own. */

export { type Bundle, openBundle } from '../trust/bundle/open.ts'
export {
  type BundleOptions,
  type Inventory,
  type Level,
  type LevelVerdict,
  type Profile,
  type Verdict,
  verifyBundle,
} from './verify.ts'
