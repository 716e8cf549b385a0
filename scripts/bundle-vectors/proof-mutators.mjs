/** Proofs and heads that do not lead where they say. */
import { ended, leafOf, sha256 } from './bundle-lines.mjs'
import { keys } from './good-bundles.mjs'
import { edited, every, find, head, looseBase64, put, retext, set, zeros } from './mutator-tools.mjs'

export const proofMutators = {
  'since-size-0': [['since'], 'since', put('since', 'size', 0)],
  'since-size-of-the-start': [['since'], 'since', edited(all => set(find(all, 'since'), 'size', all[0].from - 1))],
  'since-another-root': [['since'], 'since', put('since', 'root', zeros)],
  'since-another-proof': [['since'], 'since', edited(all => set(find(all, 'since').proof, 0, zeros))],
  'since-longer-proof': [['since'], 'since', edited(all => void find(all, 'since').proof.push(zeros))],
  'since-shorter-proof': [['since'], 'since', edited(all => void find(all, 'since').proof.pop())],
  'since-another-size': [['since'], 'since', edited(all => void find(all, 'since').size++)],
  'keychain-edited': [
    ['rotatedBefore', 'rotatedWithin'],
    'keychain',
    retext('keychain', 'entry', text => text.replace('agent/a', 'agent/x')),
  ],
  'keychain-swap-the-key': [
    ['rotatedBefore', 'rotatedWithin'],
    'keychain',
    retext('keychain', 'entry', text => text.replace(keys.next.verifierKey, keys.other.verifierKey)),
  ],
  'keychain-no-entry': [['rotatedBefore'], 'keychain', retext('keychain', 'entry', () => '{}')],
  'keychain-of-another-kind': [
    ['rotatedBefore'],
    'keychain',
    retext('keychain', 'entry', text => text.replace('"kind":"key"', '"kind":"note"')),
  ],
  'keychain-another-number': [['rotatedBefore'], 'keychain', edited(all => void find(all, 'keychain').seq--)],
  'keychain-number-beyond': [['rotatedBefore', 'rotatedWithin'], 'keychain', put('keychain', 'seq', 99)],
  'keychain-number-0': [['rotatedBefore'], 'keychain', put('keychain', 'seq', 0)],
  'keychain-twice': [
    ['rotatedBefore', 'rotatedWithin'],
    'keychain',
    edited(all => void all.splice(3, 0, find(all, 'keychain'))),
  ],
  'keychain-without-prior': [['rotatedBefore'], 'keychain', edited(all => void delete find(all, 'keychain').prior)],
  'keychain-with-prior': [['rotatedWithin'], 'keychain', put('keychain', 'prior', [])],
  'keychain-another-proof': [
    ['rotatedBefore', 'rotatedWithin'],
    'keychain',
    edited(all => set(find(all, 'keychain').proof, 0, zeros)),
  ],
  'keychain-longer-proof': [
    ['rotatedBefore', 'rotatedWithin'],
    'keychain',
    edited(all => void find(all, 'keychain').proof.push(zeros)),
  ],
  'keychain-another-prior': [
    ['rotatedBefore'],
    'keychain',
    edited(all => set(find(all, 'keychain'), 'prior', [zeros])),
  ],
  'keychain-head-of-another-log': [['rotatedBefore'], 'keychain', put('keychain', 'head', text => `x${text}`)],
  'keychain-head-too-small': [
    ['rotatedBefore'],
    'keychain',
    put('keychain', 'head', text => text.replace(/\n\d+\n/, '\n1\n')),
  ],
  'keychain-head-malformed': [['rotatedBefore'], 'keychain', put('keychain', 'head', '')],
  'keychain-from-a-parallel-history': [['rotatedWithin'], 'keychain', all => ended(withParallelKey(all))],
  'head-of-another-size': [
    every,
    'checkpoint',
    head(text => text.replace(/\n(\d+)\n/, (_, size) => `\n${Number(size) + 1}\n`)),
  ],
  'head-size-with-zero': [['tiny', 'log'], 'checkpoint', head(text => text.replace(/\n(\d+)\n/, '\n0$1\n'))],
  'head-of-another-root': [every, 'root', head(text => text.replace(/\n[^\n]{43}=\n/, `\n${zeros}\n`))],
  'head-with-loose-base64': [
    ['tiny', 'log'],
    'checkpoint',
    head(text => text.replace(/\n([^\n]{43}=)\n/, (_, root) => `\n${looseBase64(root)}\n`)),
  ],
  'head-with-an-extension': [['tiny', 'log'], 'checkpoint', head(text => text.replace('\n\n', '\nmore\n\n'))],
  'head-of-another-origin': [every, 'checkpoint', head(text => `x${text}`)],
  'head-without-its-last-line-feed': [every, 'checkpoint', head(text => text.slice(0, -1))],
  'head-with-another-dash': [['log'], 'checkpoint', head(text => text.replace('\u2014', '-'))],
  'head-with-a-short-signature': [['log'], 'checkpoint', head(text => `${text}\u2014 x AAAA\n`)],
  'head-with-a-loose-signature': [['tiny'], 'checkpoint', head(text => `${text}\u2014 x AAAAAAAAAAB=\n`)],
  'head-with-a-name-with-plus': [
    ['log'],
    'checkpoint',
    head(text => text.replace('example.org/log', 'example+org/log')),
  ],
  'head-with-a-name-with-odd-space': [
    ['log'],
    'checkpoint',
    head(text => text.replace('example.org/log', 'example\u2003org/log')),
  ],
  'head-with-windows-lines': [['log'], 'checkpoint', head(text => text.replaceAll('\n', '\r\n'))],
}

/** A key entry that is not in the log, with a head and a proof that are right for a tree that has it. */
function withParallelKey(records) {
  const copies = structuredClone(records)
  const record = find(copies, 'keychain')
  const text = record.entry.replace(keys.next.verifierKey, keys.other.verifierKey)
  const before = copies.filter(({ type }) => type === 'entry').slice(0, record.seq - copies[0].from)
  let size = copies[0].from - 1
  const frontier = find(copies, 'prior').hashes.map(hash => Buffer.from(hash, 'base64'))
  for (const { entry } of before) {
    let hash = leafOf(entry)
    for (let rest = size++; rest % 2 === 1; rest = Math.floor(rest / 2))
      hash = sha256(Buffer.of(1), frontier.pop(), hash)
    frontier.push(hash)
  }
  const root = frontier.reduceRight((right, left) => sha256(Buffer.of(1), left, right), leafOf(text))
  const proof = frontier.reverse().map(hash => hash.toString('base64'))
  Object.assign(record, {
    entry: text,
    proof,
    head: `${copies[0].origin}\n${record.seq}\n${root.toString('base64')}\n\n`,
  })
  return copies
}
