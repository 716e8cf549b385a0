/** A witness that signs whatever head it is shown: what C2SP calls cosignature/v1. */
import { createHash, generateKeyPairSync, sign } from 'node:crypto'

const { publicKey, privateKey } = generateKeyPairSync('ed25519')
const name = 'witness.example'
const key = Buffer.concat([Buffer.from([4]), publicKey.export({ format: 'der', type: 'spki' }).subarray(-32)])
const keyId = createHash('sha256').update(`${name}\n`).update(key).digest().subarray(0, 4)

export const witnessKey = `${name}+${keyId.toString('hex')}+${key.toString('base64')}`

/** The line that a witness answers with. */
export function cosignature(head: string): string {
  const text = head.slice(0, head.indexOf('\n\n') + 1)
  const time = 1_780_000_000
  const message = Buffer.from(`cosignature/v1\ntime ${time}\n${text}`)
  const stamp = Buffer.alloc(8)
  stamp.writeBigUInt64BE(BigInt(time))
  const line = Buffer.concat([keyId, stamp, sign(null, message, privateKey)]).toString('base64')
  return `— ${name} ${line}\n`
}
