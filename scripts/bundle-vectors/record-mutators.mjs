/** Records with other fields, in another order, under another header. */
import { edited, every, find, isCommit, lines, logs, looseBase64, put, seal, set, zeros } from './mutator-tools.mjs'

export const recordMutators = {
  'unknown-record-type': [every, 'record', edited(all => void all.splice(2, 0, { type: 'remark', text: 'hello' }))],
  'type-of-another-case': [['tiny'], 'record', put('prior', 'type', 'Prior')],
  'type-that-objects-have': [['tiny'], 'record', edited(all => void all.splice(2, 0, { type: 'constructor' }))],
  'no-type': [['tiny'], 'record', edited(all => void all.splice(2, 0, { text: 'hello' }))],
  'unknown-field': [every, 'record', put('checkpoint', 'note', 'hello')],
  'missing-field': [every, 'record', edited(all => void delete find(all, 'header').profile)],
  'field-of-another-type': [every, 'record', put('header', 'from', '2')],
  'truth-for-a-number': [['tiny'], 'record', put('header', 'version', true)],
  'null-for-a-text': [['tiny'], 'record', put('checkpoint', 'head', null)],
  'dropped-that-is-not-1': [['tiny'], 'record', edited(all => set(all.find(isCommit), 'dropped', 2))],
  'loose-base64-in-prior': [
    every,
    'record',
    edited(all => set(find(all, 'prior').hashes, 0, looseBase64(find(all, 'prior').hashes[0]))),
  ],
  'base64-of-the-other-alphabet': [
    ['tiny'],
    'record',
    edited(all => set(find(all, 'prior').hashes, 0, `-${find(all, 'prior').hashes[0].slice(1)}`)),
  ],
  'base64-without-padding': [
    ['tiny', 'log'],
    'record',
    edited(all => set(find(all, 'prior').hashes, 0, find(all, 'prior').hashes[0].slice(0, -1))),
  ],
  'hash-with-a-line-feed': [['tiny'], 'record', put('prior', 'hashes', hashes => hashes.map(hash => `${hash}\n`))],
  'short-hash': [['tiny'], 'record', put('prior', 'hashes', ['AAAA'])],
  'loose-base64-in-the-leaf': [
    ['redacted'],
    'record',
    edited(all => set(find(all, 'entry', 'leaf'), 'leaf', looseBase64(find(all, 'entry', 'leaf').leaf))),
  ],
}

export const orderMutators = {
  'header-twice': [every, 'order', edited(all => void all.splice(1, 0, all[0]))],
  'header-dropped': [every, 'order', edited(all => void all.shift())],
  'prior-dropped': [['tiny', 'log'], 'order', edited(all => void all.splice(1, 1))],
  'checkpoint-dropped': [every, 'order', edited(all => all.filter(({ type }) => type !== 'checkpoint'))],
  'checkpoint-twice': [['tiny', 'log'], 'order', edited(all => void all.splice(2, 0, find(all, 'checkpoint')))],
  'checkpoint-first': [['tiny'], 'order', edited(all => void all.splice(1, 0, ...all.splice(2, 1)))],
  'something-after-the-end': [every, 'order', all => lines([...all, all.at(-1)]).join('')],
  'seal-dropped': [every, 'order', edited(all => void all.splice(all.indexOf(seal(all)), 1))],
  'entry-dropped': [
    ['log', 'redacted'],
    'order',
    edited(all => void all.splice(all.findIndex(({ type }) => type === 'entry') + 2, 1)),
  ],
  'entry-replayed': [logs, 'order', edited(all => void all.splice(all.indexOf(seal(all)), 0, { ...seal(all) }))],
  'entry-after-the-seal': [every, 'order', edited(all => void all.splice(-1, 0, seal(all)))],
  'node-without-a-commit': [
    ['tiny', 'signed'],
    'order',
    edited(all => void all.splice(-1, 0, { type: 'node', node: '["value",1]' })),
  ],
  'node-in-a-log': [
    ['log', 'redacted'],
    'order',
    edited(
      all =>
        void all.splice(all.findIndex(record => record.entry?.includes('"commit"')) + 1, 0, {
          type: 'node',
          node: '["value",1]',
        }),
    ),
  ],
  'since-after-the-head': [['since'], 'order', edited(all => void all.splice(3, 0, ...all.splice(2, 1)))],
  'truncate-after-an-entry': [['log', 'tiny'], 'order', all => lines(all.slice(0, 4)).join('')],
}

export const headerMutators = {
  'version-3': [['tiny', 'log'], 'version', put('header', 'version', 3)],
  'another-format': [['tiny', 'log'], 'version', put('header', 'format', 'agentstategraph-bundles')],
  'from-0': [['tiny', 'log'], 'header', put('header', 'from', 0)],
  'from-above-to': [['tiny', 'log'], 'header', put('header', 'from', 99)],
  'unknown-profile': [every, 'header', put('header', 'profile', 'whole')],
  'no-origin': [['tiny'], 'header', put('header', 'origin', '')],
  'origin-of-two-lines': [['tiny'], 'header', put('header', 'origin', 'a\nb')],
  'no-epoch': [['tiny'], 'header', put('header', 'epoch', '')],
  'paths-of-a-log': [['log', 'redacted'], 'header', put('header', 'paths', ['/a'])],
  'paths-without-any': [['tiny', 'paths'], 'header', put('header', 'paths', [])],
  'path-twice': [['paths'], 'header', put('header', 'paths', ['/open', '/open'])],
  'paths-unsorted': [['paths'], 'header', edited(all => void all[0].paths.reverse())],
  'paths-sorted-by-code-points': [['paths'], 'header', put('header', 'paths', ['/\uff5e', '/\u{1f600}'])],
  'path-without-slash': [['paths'], 'header', put('header', 'paths', ['open'])],
  'path-with-wrong-escape': [['paths'], 'header', put('header', 'paths', ['/a~2'])],
  'path-with-part-of-a-star': [['paths'], 'header', put('header', 'paths', ['/a*'])],
  'path-with-two-stars': [['paths'], 'header', put('header', 'paths', ['/**'])],
  'relabel-the-origin': [every, 'checkpoint', put('header', 'origin', 'agentstategraph/x')],
  'relabel-the-epoch': [every, 'seal', put('header', 'epoch', 'q2')],
  'shift-the-range': [['tiny', 'log'], 'checkpoint', edited(all => void all[0].to++)],
  'shrink-the-range': [['tiny', 'log'], 'checkpoint', edited(all => void all[0].to--)],
  'more-hashes-before': [every, 'prior', edited(all => void find(all, 'prior').hashes.push(zeros))],
  'fewer-hashes-before': [every, 'prior', edited(all => void find(all, 'prior').hashes.pop())],
  'another-history-before': [
    ['tiny', 'log', 'redacted', 'witnessed'],
    'root',
    edited(all => set(find(all, 'prior').hashes, 0, zeros)),
  ],
  'claim-the-start-of-the-log': [['tiny'], 'prior', put('header', 'from', 1)],
  'profile-log-for-full': [['tiny', 'signed'], 'order', put('header', 'profile', 'log')],
  'profile-redacted-for-log': [['log'], 'commit', put('header', 'profile', 'redacted')],
  'profile-log-for-redacted': [['redacted'], 'commit', put('header', 'profile', 'log')],
  'profile-full-for-log': [['log'], 'missing-node', put('header', 'profile', 'full')],
}
