/** What a caller chooses the size of: the signature lines of a head, and the keys to check them with. */
import { generateKeyPairSync, sign } from 'node:crypto'
import { expect, it } from 'vitest'
import { verifierKeyOf } from '../../src/core/index.ts'
import { checkHead } from '../../src/trust/index.ts'

/** The bytes of a signature, which count how often they are verified. */
class Counted extends Uint8Array {
  static verified = 0

  override subarray(from?: number, to?: number): Uint8Array<ArrayBuffer> {
    if (from === 0) Counted.verified++
    return new Uint8Array(this).subarray(from, to)
  }
}

it('a signature is verified once, however often its line and its key come', async () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const key = verifierKeyOf('log', publicKey.export({ format: 'der', type: 'spki' }).subarray(-32))
  const text = 'log\n1\nAAAA\n'
  const signed = sign(null, Buffer.from(text), privateKey)
  const line = (bytes: Uint8Array) => ({ name: 'log', keyId: key.split('+')[1]!, bytes })
  const headOf = (signatures: readonly ReturnType<typeof line>[]) => ({
    ...{ origin: 'log', size: 1, root: 'AAAA', text },
    signatures,
  })
  const keys = Array.from({ length: 64 }, () => key)

  const lines = Array.from({ length: 1000 }, () => line(new Counted(signed)))
  expect(await checkHead(headOf(lines), keys)).toEqual({ good: [key], wrong: [] })
  expect(Counted.verified).toBe(1)
  const wrong = line(new Uint8Array(64).fill(9))
  expect(await checkHead(headOf([lines[0]!, wrong, lines[1]!]), keys)).toEqual({ good: [], wrong: [key] })
})
