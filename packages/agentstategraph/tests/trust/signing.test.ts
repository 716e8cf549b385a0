/** Signed heads, receipts, keys in files and their rotation: good by strict rules, and bound to what is in the store. */
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { findVerifierKey, noteText, toBase64 } from '../../src/core/index.ts'
import { ed25519Key, newEd25519Seed } from '../../src/node/ed25519.ts'
import { keyChanges, rootAt } from '../../src/repo/index.ts'
import { open } from '../../src/repository/index.ts'
import { isSignature } from '../../src/trust/ed25519.ts'
import { checkHead, createKeyFile, epochs, findSignedHead, keyFileSigner, rotateKey } from '../../src/trust/index.ts'
import { newFile } from '../store/support/sqlite-file.ts'
import { newSigner } from './support/signer.ts'

describe('a key in a file', () => {
  it('is made once, is for its owner alone, and signs as the key it was made as', async () => {
    const file = `${newFile()}.key`
    const verifierKey = await createKeyFile(file, { name: 'example.org/agents' })
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600)
    await expect(createKeyFile(file)).rejects.toMatchObject({ code: 'key-file-exists' })
    const signer = await keyFileSigner(file)
    expect(signer.verifierKey).toBe(verifierKey)
    const { name, publicKey } = findVerifierKey(verifierKey)!
    expect(name).toBe('example.org/agents')
    const message = new TextEncoder().encode('message')
    expect(await isSignature(publicKey, message, await signer.sign(message))).toBe(true)
  })

  it('is refused when it is absent, damaged, or has a bad name', async () => {
    const file = `${newFile()}.key`
    await expect(keyFileSigner(file)).rejects.toMatchObject({ code: 'key-file-invalid' })
    await expect(createKeyFile(file, { name: 'a name' })).rejects.toMatchObject({ code: 'key-name-invalid' })
    await createKeyFile(file)
    writeFileSync(file, readFileSync(file, 'utf8').replace('agentstategraph', 'somebody'))
    await expect(keyFileSigner(file)).rejects.toMatchObject({ code: 'key-file-invalid' })
    writeFileSync(file, 'nothing')
    await expect(keyFileSigner(file)).rejects.toMatchObject({ code: 'key-file-invalid' })
  })
})

it('a sample key and note of the C2SP page are read and found good', async () => {
  const key = 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW'
  const text = "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n"
  const signature = 'x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM='
  const bytes = Uint8Array.from(atob(signature), char => char.charCodeAt(0))
  const { publicKey, name, keyId } = findVerifierKey(key)!
  expect([name, keyId]).toEqual(['PeterNeumann', 'c74f20a3'])
  expect(await isSignature(publicKey, new TextEncoder().encode(text), bytes.subarray(4))).toBe(true)
  expect(noteText({ text, signatures: [{ name, keyId, bytes: bytes.subarray(4) }] })).toBe(
    `${text}\n\u2014 PeterNeumann ${signature}\n`,
  )
})

describe('a signature is refused', () => {
  const signer = ed25519Key(newEd25519Seed())
  const message = new TextEncoder().encode('message')
  const good = signer.sign(message)
  const order = 2n ** 252n + 27742317777372353535851937790883648493n

  function bytesOf(value: bigint): Uint8Array {
    return Uint8Array.from({ length: 32 }, (_, i) => Number((value >> BigInt(8 * i)) & 255n))
  }

  it('when S is not reduced', async () => {
    const s = good.subarray(32).reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n)
    const twice = Uint8Array.from([...good.subarray(0, 32), ...bytesOf(s + order)])
    expect(await isSignature(signer.publicKey, message, good)).toBe(true)
    expect(await isSignature(signer.publicKey, message, twice)).toBe(false)
  })

  it('when the key or R is of small order or not canonical', async () => {
    const prime = 2n ** 255n - 19n
    const bad = [0n, 1n, prime - 1n, prime, prime + 1n, 2n ** 255n + 1n].map(bytesOf)
    for (const point of bad) {
      expect(await isSignature(point, message, good)).toBe(false)
      expect(await isSignature(signer.publicKey, message, Uint8Array.from([...point, ...good.subarray(32)]))).toBe(
        false,
      )
    }
    // With the neutral element as key and as R, S = 0 satisfies the equation for every message.
    const neutral = bytesOf(1n)
    expect(await isSignature(neutral, message, Uint8Array.from([...neutral, ...bytesOf(0n)]))).toBe(false)
  })

  it('when any bit of it, of the key or of the message is another', async () => {
    for (let bit = 0; bit < 512; bit += 7) {
      const wrong = good.slice()
      wrong[bit >> 3]! ^= 1 << (bit & 7)
      expect(await isSignature(signer.publicKey, message, wrong)).toBe(false)
    }
    expect(await isSignature(signer.publicKey, new TextEncoder().encode('other'), good)).toBe(false)
  })
})

describe('receipts', () => {
  it('come with every commit, and each is the head whose last entry is that commit', async () => {
    const signer = newSigner()
    await using repo = await open(undefined, { signer, receipts: true })
    const first = await repo.set('/n', 1, 'Set')
    const written = [
      first,
      await repo.set('/n', 1, 'Set again'),
      await repo.commit('Many', tx => tx.set('/a', 1).set('/b', 2)),
      await (await repo.branch('other')).set('/c', 1, 'Elsewhere'),
      await repo.merge('other'),
      await repo.delete('/a', 'Delete'),
      await repo.revert('main'),
      await repo.rollback(first, 'Back to the first'),
    ]
    await using tried = await repo.speculate()
    await tried.set('/tried', 1)
    written.push(await tried.commit('Keep'))
    const { journal } = repo.handle
    for (const { seq, receipt } of written) {
      const head = findSignedHead(receipt!)!
      expect(head.size).toBe(seq)
      expect(head.root).toBe(toBase64(await journal.run(rootAt(journal, seq))))
      expect(await checkHead(head, [signer.verifierKey])).toEqual({ good: [signer.verifierKey], wrong: [] })
    }
  })

  it('are not there when nobody asks for them, and need a key', async () => {
    await using repo = await open(undefined, { signer: newSigner() })
    expect(await repo.set('/n', 1, 'Set')).not.toHaveProperty('receipt')
    await expect(open(undefined, { receipts: true })).rejects.toMatchObject({ code: 'option-invalid' })
  })

  it('are refused when the signer gives something else than a signature', async () => {
    const signer = { ...newSigner(), sign: async () => new Uint8Array(3) }
    await using repo = await open(undefined, { signer, receipts: true })
    await expect(repo.set('/n', 1, 'Set')).rejects.toMatchObject({ code: 'signer-invalid' })
    await expect(open(undefined, { signer: { ...newSigner(), keyId: '00000000' } })).rejects.toMatchObject({
      code: 'signer-invalid',
    })
  })
})

describe('a head', () => {
  it('is condemned by a wrong line of a key that is held, and says nothing by lines of others', async () => {
    const [held, other] = [newSigner('held'), newSigner('other')]
    await using repo = await open(undefined, { signer: held, receipts: true })
    const { receipt } = await repo.set('/n', 1, 'Set')
    const head = findSignedHead(receipt!)!
    expect(await checkHead(head, [other.verifierKey])).toEqual({ good: [], wrong: [] })
    const wrong = { ...head, text: head.text.replace('\n2\n', '\n3\n') }
    expect(await checkHead(wrong, [held.verifierKey])).toEqual({ good: [], wrong: [held.verifierKey] })
    await expect(checkHead(head, ['nonsense'])).rejects.toMatchObject({ code: 'key-invalid' })
  })

  it('signs the seal of an epoch, at once or later', async () => {
    const file = newFile()
    const signer = newSigner()
    {
      await using repo = await open(file)
      await epochs(repo).create('early', 'Without a key')
      await repo.set('/n', 1, 'Set')
      expect(await epochs(repo).seal('early', 'Done')).not.toHaveProperty('signature')
    }
    await using repo = await open(file, { signer })
    await epochs(repo).create('late', 'With a key')
    for (const sealed of [await epochs(repo).seal('late', 'Done'), await epochs(repo).sign('early')]) {
      const head = findSignedHead(sealed.signature!)!
      expect([head.size, head.root]).toEqual([sealed.toSeq, sealed.root])
      expect((await checkHead(head, [signer.verifierKey])).good).toEqual([signer.verifierKey])
    }
  })

  it('can be asked for again when the signer failed at the seal', async () => {
    const signer = newSigner()
    let isReachable = false
    const sign = async (message: Uint8Array) => {
      if (!isReachable) throw new Error('The key cannot be reached')
      return signer.sign(message)
    }
    await using repo = await open(undefined, { signer: { ...signer, sign } })
    await epochs(repo).create('e', 'Sealed while the key is away')
    await expect(epochs(repo).seal('e', 'Done')).rejects.toThrow('The key cannot be reached')
    expect(await epochs(repo).get('e')).toMatchObject({ status: 'sealed' })
    isReachable = true
    expect(await epochs(repo).sign('e')).toHaveProperty('signature')
  })
})

describe('another key', () => {
  it('takes the place of the first by a head that both sign, and the first signs no more', async () => {
    const file = newFile()
    const [first, second] = [newSigner('first'), newSigner('second')]
    {
      await using repo = await open(file, { signer: first, receipts: true })
      await repo.set('/n', 1, 'Before')
      const note = await rotateKey(repo, second)
      const head = findSignedHead(note)!
      const keys = [first.verifierKey, second.verifierKey]
      expect(await checkHead(head, keys)).toEqual({ good: keys, wrong: [] })
      const changes = await repo.handle.journal.run(keyChanges())
      expect(changes).toMatchObject([{ seq: head.size, add: [second.verifierKey], retire: [first.verifierKey] }])
      expect(changes[0]!.signed!.note).toBe(note)
      const { receipt } = await repo.set('/n', 2, 'After')
      expect((await checkHead(findSignedHead(receipt!)!, keys)).good).toEqual([second.verifierKey])
      await expect(rotateKey(repo, second)).rejects.toMatchObject({ code: 'key-same' })
    }
    await using stale = await open(file, { signer: first, receipts: true, readOnly: true })
    await expect(stale.handle.shared.signing!.headAt(6)).rejects.toMatchObject({ code: 'key-retired' })
    await using repo = await open(file, { signer: second, receipts: true })
    await rotateKey(repo, first)
    expect(await repo.set('/n', 3, 'The first again')).toHaveProperty('receipt')
    await using plain = await open()
    await expect(rotateKey(plain, first)).rejects.toMatchObject({ code: 'signer-missing' })
  })

  it('that was only begun is finished by asking again', async () => {
    const [first, second] = [newSigner('first'), newSigner('second')]
    await using repo = await open(undefined, { signer: first })
    await repo.set('/n', 1, 'Before')
    const failing = { ...second, sign: () => Promise.reject(new Error('away')) }
    await expect(rotateKey(repo, failing)).rejects.toThrow('away')
    repo.handle.shared.signing!.signer = first
    await rotateKey(repo, second)
    expect(await repo.handle.journal.run(keyChanges())).toHaveLength(1)
  })
})
