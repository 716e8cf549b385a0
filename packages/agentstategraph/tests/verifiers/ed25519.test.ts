/** Ed25519 in both verifiers: what RFC 8032 signs is good, and what lenient readers let pass is not. */
import { createHash, createPrivateKey, createPublicKey, sign } from 'node:crypto'
import { expect, it } from 'vitest'
import { inPython, nodeVerifier } from './support/both-verifiers.ts'

type Signed = readonly [publicKey: string, message: string, signature: string]

/** RFC 8032, section 7.1: tests 1 to 3 and the one of a hash. */
const rfc: readonly Signed[] = [
  [
    'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
    '',
    'e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b',
  ],
  [
    '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
    '72',
    '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
  ],
  [
    'fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025',
    'af82',
    '6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a',
  ],
  [
    'ec172b93ad5e563bf4932c70e1245034c35467ef2efd4d64ebf819683467e2bf',
    createHash('sha512').update('abc').digest('hex'),
    'dc2a4459e7369633a52b1bf277839a00201009a3efbf3ecb69bea2186c26b58909351fc9ac90b3ecfdfbc7c66431e0303dca179c138ac17ad9bef1177331a704',
  ],
]

const ORDER = 2n ** 252n + 27742317777372353535851937790883648493n
const littleEndian = (n: bigint): string =>
  Buffer.from(n.toString(16).padStart(64, '0'), 'hex').reverse().toString('hex')
const numberOf = (hex: string): bigint => BigInt(`0x${Buffer.from(hex, 'hex').reverse().toString('hex')}`)

/** All points of small order, as they are written, and the ways in which a lenient reader would take them too. */
const smallOrder: readonly string[] = [
  '0100000000000000000000000000000000000000000000000000000000000000',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  '0000000000000000000000000000000000000000000000000000000000000000',
  '0000000000000000000000000000000000000000000000000000000000000080',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa',
  '0100000000000000000000000000000000000000000000000000000000000080',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff',
  'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff',
  'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff',
]

/** A signature of our own by the secret of RFC 8032's first test. */
function ownSignature(message: string): Signed {
  const pkcs8 = `302e020100300506032b6570042204209d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60`
  const key = createPrivateKey({ key: Buffer.from(pkcs8, 'hex'), format: 'der', type: 'pkcs8' })
  const publicKey = createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32)
  return [publicKey.toString('hex'), message, sign(null, Buffer.from(message, 'hex'), key).toString('hex')]
}

function bad(): Signed[] {
  const found: Signed[] = []
  const [key, message, signature] = ownSignature('c0ffee')
  const [r, s] = [signature.slice(0, 64), signature.slice(64)]
  for (let times = 1n; times <= 15n; times++) {
    const unreduced = numberOf(s) + times * ORDER
    if (unreduced < 2n ** 256n) found.push([key, message, r + littleEndian(unreduced)])
  }
  for (const point of smallOrder) {
    found.push([key, message, point + s], [point, message, signature])
    // S = 0 with R and A of small order holds for every message that hashes well, when nobody looks at the order.
    for (const other of smallOrder)
      for (const text of ['00', '01', '02']) found.push([point, text, other + littleEndian(0n)])
  }
  found.push([key, message, r + littleEndian(0n)], [key, message, r + littleEndian(ORDER)])
  found.push([key, message, '00'.repeat(64)], [key, message, 'ff'.repeat(64)], ['ff'.repeat(32), message, signature])
  found.push([key, message, signature.slice(2)], [key, message, `${signature}00`], [key.slice(2), message, signature])
  found.push([key, 'c0ffef', signature], [littleEndian(2n), message, signature])
  for (let bit = 0; bit < 512; bit += 37) {
    const bytes = Buffer.from(signature, 'hex')
    bytes[bit >> 3]! ^= 1 << (bit & 7)
    found.push([key, message, bytes.toString('hex')])
  }
  return found
}

async function judged(all: readonly Signed[]): Promise<[node: boolean[], python: boolean[]]> {
  const { isSignature } = await nodeVerifier()
  const bytes = all.map(parts => parts.map(hex => Buffer.from(hex, 'hex')) as [Buffer, Buffer, Buffer])
  return [bytes.map(parts => isSignature(...parts)), inPython('signatures', all) as boolean[]]
}

it('takes what was signed', async () => {
  const good = [...rfc, ownSignature(''), ownSignature('c0ffee'), ownSignature('00'.repeat(1000))]
  const all = good.map(() => true)
  expect(await judged(good)).toEqual([all, all])
})

it('takes nothing that was not: unreduced S, points of small order or written otherwise, cut or changed', async () => {
  const wrong = bad()
  const none = wrong.map(() => false)
  expect(await judged(wrong)).toEqual([none, none])
})
