/** Entries edited, moved, hidden, or not written as entries are. */
import { canonical, leafOf } from './bundle-lines.mjs'
import { edited, every, find, forged, isCommit, reparsed, retext, seal, set, zeros } from './mutator-tools.mjs'

/** Times of the right form of moments that do not exist. */
const impossibleTimes = {
  'month-0': '2027-00-01T00:00:00.000Z',
  'month-13': '2027-13-01T00:00:00.000Z',
  'day-0': '2027-01-00T00:00:00.000Z',
  '30-february': '2028-02-30T00:00:00.000Z',
  '29-february-of-no-leap-year': '2027-02-29T00:00:00.000Z',
  '29-february-of-2100': '2100-02-29T00:00:00.000Z',
  '31-april': '2027-04-31T00:00:00.000Z',
  'hour-24': '2027-01-01T24:00:00.000Z',
  'minute-60': '2027-01-01T00:60:00.000Z',
  'second-60': '2026-12-31T23:59:60.000Z',
  'year-10000': '+010000-01-01T00:00:00.000Z',
  'year-before-0': '-000001-01-01T00:00:00.000Z',
}

export const entryMutators = {
  'edit-the-agent': [
    ['tiny', 'log', 'authority'],
    'commit',
    edited(all => set(all.find(isCommit), 'entry', all.find(isCommit).entry.replace(/agent\/[a-z]+/, 'agent/x'))),
  ],
  'edit-the-agent-of-a-seal': [
    every,
    'root',
    edited(all => set(seal(all), 'entry', seal(all).entry.replace('agent/a', 'agent/x'))),
  ],
  'edit-the-summary': [
    every,
    'root',
    edited(all => set(seal(all), 'entry', seal(all).entry.replace(/"summary":"[^"]*"/, '"summary":"Fine"'))),
  ],
  'edit-the-time': [
    ['tiny', 'log', 'redacted'],
    'root',
    edited(all => set(seal(all), 'entry', seal(all).entry.replace(/2026-/, '2027-'))),
  ],
  'edit-the-time-to-before': [
    every,
    'entry',
    edited(all => set(seal(all), 'entry', seal(all).entry.replace(/2026-/, '2025-'))),
  ],
  'edit-the-pack': [
    ['tiny', 'log', 'redacted'],
    'root',
    edited(all => {
      const one = all.find(record => record.entry?.includes('"pack"'))
      one.entry = one.entry.replace(/"pack":".{43}"/, `"pack":"${'A'.repeat(43)}"`)
    }),
  ],
  'edit-changed-paths': [
    ['tiny', 'log', 'redacted'],
    'root',
    edited(all => {
      const one = all.find(record => record.entry?.includes('"changed"'))
      one.entry = one.entry.replace('"changed":["/', '"changed":["/not')
    }),
  ],
  'edit-an-observation': [
    ['log', 'signed'],
    'root',
    edited(all => {
      const one = all.find(record => record.entry?.includes('It holds'))
      one.entry = one.entry.replace('It holds', 'It fails')
    }),
  ],
  'entry-of-version-3': [every, 'entry', retext('entry', 'entry', text => text.replace('"v":2', '"v":3'))],
  'entry-with-another-field': [
    ['tiny', 'log'],
    'entry',
    retext(
      'entry',
      'entry',
      reparsed(entry => ({ ...entry, extra: 1 })),
    ),
  ],
  'entry-without-agent': [
    ['tiny', 'log'],
    'entry',
    retext(
      'entry',
      'entry',
      reparsed(({ agent, ...entry }) => entry),
    ),
  ],
  'entry-with-a-fraction': [
    ['tiny', 'log'],
    'entry',
    retext('entry', 'entry', text => text.replace('"v":2', '"v":2.0')),
  ],
  'entry-with-a-repeated-key': [
    ['tiny', 'log'],
    'entry',
    retext('entry', 'entry', text => text.replace('{"agent"', '{"agent":"agent/x","agent"')),
  ],
  'entry-with-a-space': [every, 'entry', retext('entry', 'entry', text => text.replace(',', ', '))],
  'entry-that-is-no-object': [['tiny'], 'entry', retext('entry', 'entry', () => '[]')],
  'entry-that-is-no-json': [['tiny'], 'entry', retext('entry', 'entry', () => 'hello')],
  'entry-nested-deeply': [
    ['tiny'],
    'entry',
    retext('entry', 'entry', text => text.replace('"body":', `"body":${'['.repeat(300)}${']'.repeat(300)},"bodz":`)),
  ],
  'entry-with-half-a-character': [
    ['tiny'],
    'entry',
    retext('entry', 'entry', text => text.replace('agent/a', '\\ud800')),
  ],
  ...Object.fromEntries(
    Object.entries(impossibleTimes).map(([name, time]) => [
      `entry-with-a-time-of-${name}`,
      [
        ['tiny', 'redacted'],
        'entry',
        forged(entry => void (entry.body?.status === 'sealed' && set(entry, 'time', time))),
      ],
    ]),
  ),
  ...Object.fromEntries(
    Object.entries(impossibleTimes).map(([name, time]) => [
      `commit-with-a-time-of-${name}`,
      [['tiny'], 'commit', forged((_, commit) => void (commit && set(commit, 'time', time)))],
    ]),
  ),
  'entry-with-a-time-of-29-february': [
    ['tiny'],
    null,
    forged(entry => void (entry.body?.status === 'sealed' && set(entry, 'time', '2028-02-29T23:59:59.999Z'))),
  ],
  'entry-with-a-time-of-another-form': [
    ['tiny', 'log'],
    'entry',
    retext('entry', 'entry', text => text.replace('.000Z', 'Z')),
  ],
  'entry-with-odd-digits': [['tiny'], 'entry', retext('entry', 'entry', text => text.replace('2026', '202\u0666'))],
  'entry-commit-without-pack': [
    ['tiny', 'log', 'redacted'],
    'entry',
    edited(all => {
      const one = all.find(record => record.entry?.includes('"pack"'))
      one.entry = reparsed(({ pack, ...entry }) => entry)(one.entry)
    }),
  ],
  'entry-with-a-loose-id': [
    ['tiny', 'log'],
    'entry',
    edited(all => {
      const one = all.find(isCommit)
      one.entry = one.entry.replace(
        /"commit":"(.{42})(.)"/,
        (_, most, last) => `"commit":"${most}${String.fromCharCode(last.charCodeAt(0) + 1)}"`,
      )
    }),
  ],
  'entry-with-a-move-of-two': [['tiny'], 'entry', retext('entry', 'entry', text => text.replace(',null,0]', ',null]'))],
  'entry-with-a-move-to-a-text': [
    ['tiny'],
    'entry',
    retext('entry', 'entry', text => text.replace(',null,0]', ',null,"0"]')),
  ],
  'entry-too-long': [
    ['tiny'],
    'entry',
    retext('entry', 'entry', text => text.replace('"description":"', `"description":"${'x'.repeat(65536)}`)),
  ],
  'move-from-elsewhere': [
    ['tiny', 'log'],
    'moves',
    edited(all => set(seal(all), 'entry', reparsed(entry => set(entry.moves[0], 1, 1))(seal(all).entry))),
  ],
  'move-from-nowhere': [
    ['tiny', 'log'],
    'moves',
    edited(all => set(seal(all), 'entry', reparsed(entry => set(entry.moves[0], 1, null))(seal(all).entry))),
  ],
  'move-to-later': [
    ['tiny', 'log'],
    'moves',
    edited(all => set(seal(all), 'entry', reparsed(entry => set(entry.moves[0], 2, 99))(seal(all).entry))),
  ],
  'move-to-below-zero': [
    ['tiny', 'log'],
    'moves',
    edited(all => set(seal(all), 'entry', reparsed(entry => set(entry.moves[0], 2, -1))(seal(all).entry))),
  ],
  'reorder-entries': [
    ['log', 'redacted'],
    'entry',
    edited(all => {
      const at = all.indexOf(seal(all))
      all.splice(at - 2, 2, all[at - 1], all[at - 2])
    }),
    base => (base === 'redacted' ? 'root' : 'entry'),
  ],
  'reorder-and-renumber': [['log'], 'root', edited(swapWithTimes)],
  'splice-from-another-log': [
    ['log'],
    'root',
    edited(all => set(find(all, 'entry'), 'entry', find(all, 'entry').entry.replace('First', 'Other'))),
  ],
  'leaf-and-entry': [every, 'withheld', edited(all => set(seal(all), 'leaf', zeros))],
  'neither-leaf-nor-entry': [every, 'withheld', edited(all => void delete seal(all).entry)],
  'leaf-in-a-log': [['log', 'rotatedWithin'], 'withheld', edited(all => hide(seal(all)))],
  'leaf-in-full': [['tiny'], 'withheld', edited(all => hide(seal(all)))],
  'leaf-with-a-commit': [['redacted'], 'withheld', edited(all => set(find(all, 'entry', 'leaf'), 'commit', '{}'))],
  'withhold-the-seal': [['redacted'], 'seal', edited(all => hide(seal(all)))],
  'withhold-a-commit': [
    ['redacted'],
    'seal',
    edited(all => hide(all.find(record => record.entry?.includes('"commit"')))),
  ],
  'another-leaf': [['redacted'], 'root', edited(all => set(find(all, 'entry', 'leaf'), 'leaf', zeros))],
}

function hide(record) {
  record.leaf = leafOf(record.entry).toString('base64')
  delete record.entry
}

/** Two entries change places, and so do their times. */
function swapWithTimes(all) {
  const at = all.indexOf(seal(all)) - 2
  const [one, other] = [all[at], all[at + 1]].map(record => ({ ...record, value: JSON.parse(record.entry) }))
  const back = ({ value, ...record }, time) => ({ ...record, entry: canonical({ ...value, time }) })
  all.splice(at, 2, back(other, one.value.time), back(one, other.value.time))
}
