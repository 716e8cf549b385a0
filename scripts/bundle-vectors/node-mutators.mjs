/** States edited, left out, put in, or not written as nodes are. */
import { canonical } from './bundle-lines.mjs'
import { edited, emptyNode, find, forged, insert, isCommit, put, retext, set, states, strip } from './mutator-tools.mjs'

/** Another number or text in a node, as canonical as before. */
function editValue(all) {
  const record = all.find(({ node }) => /200|Up to/.test(node ?? ''))
  record.node = record.node.replace('200', '999').replace('Up to', 'Not to')
}

/** The first commit is said to have lost its states, and they are left out. */
function dropCommit(all) {
  const at = all.findIndex(isCommit)
  all[at].dropped = 1
  const end = all.findIndex((record, i) => i > at && record.type !== 'node')
  all.splice(at + 1, end - at - 1)
}

function withoutMoves(entry, commit) {
  if (commit !== undefined) entry.moves = []
}

export const nodeMutators = {
  'edit-a-value': [states, 'unneeded-node', edited(editValue)],
  'drop-a-node': [
    states,
    'missing-node',
    edited(
      all =>
        void all.splice(
          all.findLastIndex(({ type }) => type === 'node'),
          1,
        ),
    ),
  ],
  'drop-all-nodes': [states, 'missing-node', edited(all => all.filter(({ type }) => type !== 'node'))],
  'node-twice': [
    states,
    'unneeded-node',
    edited(
      all =>
        void all.splice(
          all.findIndex(({ type }) => type === 'node'),
          0,
          find(all, 'node'),
        ),
    ),
  ],
  'unreachable-node': [
    states,
    'unneeded-node',
    edited(
      all =>
        void all.splice(
          all.findIndex(({ type }) => type === 'node'),
          0,
          { type: 'node', node: '["value",1]' },
        ),
    ),
  ],
  'node-of-no-shape': [states, 'node', retext('node', 'node', () => '["tree",{},{}]')],
  'node-that-is-no-json': [['tiny'], 'node', retext('node', 'node', () => '')],
  'node-with-a-space': [states, 'node', retext('node', 'node', text => text.replace(',', ', '))],
  'node-with-a-repeated-key': [['tiny'], 'node', retext('node', 'node', () => '["map",{},{"limit":1,"limit":200}]')],
  'node-with-a-number-written-otherwise': [['tiny'], 'node', retext('node', 'node', () => '["map",{},{"limit":2e2}]')],
  'node-with-an-infinite-number': [['tiny'], 'node', retext('node', 'node', () => '["map",{},{"limit":1e400}]')],
  'node-with-keys-by-code-points': [
    ['tiny'],
    'node',
    retext('node', 'node', () => '["map",{},{"\uff5e":1,"\u{1f600}":2}]'),
  ],
  'node-with-a-key-on-both-sides': [
    ['tiny'],
    'node',
    retext('node', 'node', () => `["map",{"a":"${'A'.repeat(43)}"},{"a":1}]`),
  ],
  'node-with-a-loose-id': [['tiny'], 'node', retext('node', 'node', () => `["map",{"a":"${'A'.repeat(42)}B"},{}]`)],
  'node-list-with-a-place-beyond': [
    ['tiny'],
    'node',
    retext('node', 'node', () => `["list",{"1":"${'A'.repeat(43)}"},[0]]`),
  ],
  'node-list-without-its-zero': [
    ['tiny'],
    'node',
    retext('node', 'node', () => `["list",{"0":"${'A'.repeat(43)}"},[1]]`),
  ],
  'node-list-with-a-place-that-is-none': [
    ['tiny'],
    'node',
    retext('node', 'node', () => `["list",{"00":"${'A'.repeat(43)}"},[0]]`),
  ],
  'node-branch-without-items': [['tiny'], 'node', retext('node', 'node', () => '["maps",1,[]]')],
  'node-branch-of-level-0': [['tiny'], 'node', retext('node', 'node', () => `["lists",0,[["${'A'.repeat(43)}",1]]]`)],
  'node-branch-of-nothing-counted': [
    ['tiny'],
    'node',
    retext('node', 'node', () => `["texts",1,[["${'A'.repeat(43)}",0]]]`),
  ],
  'node-branch-out-of-order': [
    ['tiny'],
    'node',
    retext('node', 'node', () => `["maps",1,[["b","${'A'.repeat(43)}",1],["a","${'A'.repeat(43)}",1]]]`),
  ],
  'node-nested-too-deeply': [
    ['tiny'],
    'node',
    retext('node', 'node', () => `["value",${'['.repeat(256)}${']'.repeat(256)}]`),
  ],
  'node-nested-as-deeply-as-may-be': [
    ['tiny'],
    'unneeded-node',
    retext('node', 'node', () => `["value",${'['.repeat(255)}${']'.repeat(255)}]`),
  ],
  'node-with-small-and-large-numbers': [
    ['tiny'],
    'unneeded-node',
    retext(
      'node',
      'node',
      () =>
        '["value",[1e+21,1e-7,0.000001,100000000000000000000,5e-324,-1.5,1.7976931348623157e+308,123456789012345680000]]',
    ),
  ],
  'node-with-a-number-of-python': [['tiny'], 'node', retext('node', 'node', () => '["value",1e-07]')],
  'node-with-sorted-astral-keys': [
    ['tiny'],
    'unneeded-node',
    retext('node', 'node', () => '["map",{},{"\u{1f600}":2,"\uff5e":1}]'),
  ],
  'node-with-keys-like-numbers': [
    ['tiny'],
    'unneeded-node',
    retext('node', 'node', () => '["map",{},{"10":1,"9":2,"__proto__":3}]'),
  ],
  'narrow-the-paths': [['paths'], 'unneeded-node', put('header', 'paths', ['/open/text'])],
  'widen-the-paths': [['paths'], 'missing-node', put('header', 'paths', ['/open/more/*/deep', '/open/text', '/shut'])],
  'paths-claimed-to-be-all': [['paths'], 'missing-node', edited(all => void delete all[0].paths)],
  'show-what-is-withheld': [
    ['paths'],
    'unneeded-node',
    edited(
      all =>
        void all.splice(all.findLastIndex(({ type }) => type === 'node') + 1, 0, {
          type: 'node',
          node: canonical(['map', {}, { text: '?' }]),
        }),
    ),
  ],
  'dropped-though-it-landed': [['tiny', 'signed'], 'dropped', edited(dropCommit)],
  'dropped-though-it-moved-nothing': [['dropped'], 'dropped', forged(withoutMoves)],
  'dropped-with-its-nodes': [['dropped'], 'order', edited(all => insert(all, all.findIndex(isCommit) + 1, emptyNode))],
  'dropped-mark-stripped': [['dropped'], 'missing-node', edited(all => strip(all.find(isCommit), 'dropped'))],
  'leaf-with-dropped': [['redacted'], 'withheld', edited(all => set(find(all, 'entry', 'leaf'), 'dropped', 1))],
}
