/** Signatures that are missing, wrong, replayed, or of another key. */
import { bodyOf, ended, signatureLine, withHead } from './bundle-lines.mjs'
import { keys } from './good-bundles.mjs'
import { edited, find, forged, head, inSeal, resealed, set } from './mutator-tools.mjs'

const corrupted = change =>
  head(text =>
    text.replace(/ (\S+)\n$/, (_, base64) => ` ${change(Buffer.from(base64, 'base64')).toString('base64')}\n`),
  )
const flipped = at => bytes => {
  bytes[at] ^= 1
  return bytes
}
/** The same signature to a lenient reader: S and the order of the group added. */
function withUnreducedS(bytes) {
  const order = 2n ** 252n + 27742317777372353535851937790883648493n
  const s = BigInt(`0x${Buffer.from(bytes.subarray(-32)).reverse().toString('hex')}`) + order
  return Buffer.concat([bytes.subarray(0, -32), Buffer.from(s.toString(16).padStart(64, '0'), 'hex').reverse()])
}
const smallOrder = Buffer.from('0100000000000000000000000000000000000000000000000000000000000000', 'hex')

export const signatureMutators = {
  'strip-the-signature': [
    ['log', 'signed', 'redacted', 'paths'],
    'signature-missing',
    head(text => `${bodyOf(text)}\n`),
  ],
  'strip-the-keychain': [
    ['rotatedBefore', 'rotatedWithin'],
    'keychain',
    edited(all => all.filter(({ type }) => type !== 'keychain')),
  ],
  'flip-a-bit-of-R': [['log', 'signed'], 'signature-wrong', corrupted(flipped(5))],
  'flip-a-bit-of-S': [['log', 'signed'], 'signature-wrong', corrupted(flipped(40))],
  'add-the-order-to-S': [['log'], 'signature-wrong', corrupted(withUnreducedS)],
  'R-of-small-order': [
    ['log'],
    'signature-wrong',
    corrupted(bytes => Buffer.concat([bytes.subarray(0, 4), smallOrder, bytes.subarray(36)])),
  ],
  'cut-the-signature': [['log'], 'signature-wrong', corrupted(bytes => bytes.subarray(0, -1))],
  'signature-of-nothing': [
    ['log', 'redacted'],
    'signature-wrong',
    corrupted(bytes => Buffer.concat([bytes.subarray(0, 4), Buffer.alloc(64)])),
  ],
  'second-wrong-signature': [
    ['log'],
    'signature-wrong',
    head(
      text =>
        text +
        text
          .slice(bodyOf(text).length + 1)
          .replace(/.{12}\n$/, 'AAAAAAAAAAA=\n')
          .replace(/=(?!\n)/g, 'A'),
    ),
  ],
  'swap-the-key': [['log', 'signed', 'authority'], 'signature-missing', resealed(() => {}, keys.other)],
  'swap-the-key-under-its-hash': [['log', 'signed'], 'signature-wrong', async all => ended(await withForgedLine(all))],
  'reseal-without-the-key': [
    ['log', 'signed', 'authority'],
    'signature-missing',
    forged(inSeal(body => set(body, 'summary', 'Other'))),
  ],
  'reseal-with-another-key': [
    ['log', 'authority'],
    'signature-missing',
    resealed(
      inSeal(body => set(body, 'summary', 'Other')),
      keys.other,
    ),
  ],
  'replay-an-old-signature': [['log', 'signed'], 'signature-wrong', async all => ended(await withOldSignature(all))],
  'retired-key-signs': [['rotatedBefore', 'rotatedWithin'], 'signature-missing', resealed(() => {}, keys.log)],
  'retired-key-signs-without-the-keychain': [
    ['rotatedBefore', 'rotatedWithin'],
    'keychain',
    async all => resealed(() => {}, keys.log)(all.filter(({ type }) => type !== 'keychain')),
  ],
  'retired-key-signs-and-nobody-vouches': [
    ['rotatedBefore', 'rotatedWithin'],
    'signature-missing',
    async all => resealed(() => {}, keys.log)(all.map(withoutVouching)),
  ],
}

/** A change of keys whose own head is not signed, as when it was interrupted. */
function withoutVouching(record) {
  return record.type === 'keychain' ? { ...record, head: `${bodyOf(record.head)}\n` } : record
}

async function withForgedLine(records) {
  const forger = { ...keys.other, keyId: keys.log.keyId }
  return withHead(records, [forger])
}

async function withOldSignature(records) {
  const body = bodyOf(find(records, 'checkpoint').head)
  const old = await signatureLine(keys.log, body.replace(/\n\d+\n/, '\n1\n'))
  return records.map(record => (record.type === 'checkpoint' ? { ...record, head: `${body}\n${old}` } : record))
}
