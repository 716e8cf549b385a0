/**
 * Reads one line of a bundle as a record: the checks `line` and `record`.
 *
 * The texts inside a record are checked elsewhere.
 */

import { utf8Length } from '../../core/index.ts'
import { readStrict } from '../strict-text.ts'
import { BundleFault } from './fault.ts'
import {
  type BundleRecord,
  fieldsOf,
  fits,
  isHash,
  isInteger,
  isText,
  listOf,
  maxLineBytes,
  type Shape,
  shape,
} from './format.ts'

const isHashes = listOf(isHash)

const shapes: Readonly<Record<BundleRecord['type'], Shape>> = {
  header: shape({
    type: isText,
    format: isText,
    version: isInteger,
    origin: isText,
    epoch: isText,
    from: isInteger,
    to: isInteger,
    profile: isText,
    'paths?': listOf(isText),
  }),
  prior: shape({ type: isText, hashes: isHashes }),
  since: shape({ type: isText, size: isInteger, root: isHash, proof: isHashes }),
  keychain: shape({ type: isText, seq: isInteger, entry: isText, head: isText, proof: isHashes, 'prior?': isHashes }),
  checkpoint: shape({ type: isText, head: isText }),
  access: shape({ type: isText, seq: isInteger, entry: isText, commit: isText, proof: isHashes }),
  entry: shape({
    type: isText,
    'entry?': isText,
    'leaf?': isHash,
    'commit?': isText,
    'dropped?': value => value === 1,
  }),
  node: shape({ type: isText, node: isText }),
  end: shape({ type: isText, lines: isInteger, digest: isHash }),
}

/** Reads a line, which still has its line feed. */
export function readRecord(line: string): BundleRecord {
  if (!line.endsWith('\n')) throw new BundleFault('line', 'the line does not end')
  const text = line.slice(0, -1)
  if (text === '') throw new BundleFault('line', 'the line is empty')
  if (text.length > maxLineBytes || utf8Length(text) > maxLineBytes)
    throw new BundleFault('line', 'the line is too long')
  const fields = fieldsOf(readStrict(text))
  if (fields === undefined)
    throw new BundleFault('line', 'the line is not an object in canonical text with integers only')
  const type = fields['type']
  const expected = isText(type) && Object.hasOwn(shapes, type) ? shapes[type as BundleRecord['type']] : undefined
  if (expected === undefined) throw new BundleFault('record', `${JSON.stringify(type)} is not a type of record`)
  if (!fits(fields, expected)) throw new BundleFault('record', `the record is not one of type ${String(type)}`)
  return fields as unknown as BundleRecord
}
