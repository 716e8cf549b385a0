/** Ends and seals that do not count what there is. */
import { ended, remade, withHead } from './bundle-lines.mjs'
import { every, forged, inSeal, lines, set, strip, zeros } from './mutator-tools.mjs'

export const sealMutators = {
  'forge-no-keys': [['tiny', 'log', 'redacted', 'rotatedWithin'], 'seal', forged(inSeal(body => strip(body, 'keys')))],
  'forge-keys-that-never-changed': [['tiny', 'log'], 'keychain', forged(inSeal(body => set(body, 'keys', [1])))],
  'forge-keys-of-the-epoch-away': [['rotatedWithin'], 'seal', forged(inSeal(body => set(body, 'keys', [])))],
  'forge-keys-from-before-away': [['rotatedBefore'], 'keychain', forged(inSeal(body => set(body, 'keys', [])))],
  'forge-keys-out-of-order': [['tiny'], 'seal', forged(inSeal(body => set(body, 'keys', [1, 1])))],
  'forge-keys-that-are-true': [['tiny'], 'seal', forged(inSeal(body => set(body, 'keys', [true])))],
  'forge-no-access': [['tiny', 'log', 'redacted', 'authority'], 'seal', forged(inSeal(body => strip(body, 'access')))],
  'forge-access-where-there-is-none': [
    ['tiny', 'log'],
    'seal',
    forged(inSeal(body => set(body, 'access', { commit: 'A'.repeat(43), seq: 1 }))),
  ],
  'forge-access-away': [['authority', 'authorityUnchanged'], 'seal', forged(inSeal(body => set(body, 'access', null)))],
  'forge-access-at-true': [
    ['authority', 'authorityRedacted'],
    'seal',
    forged(inSeal(body => set(body.access, 'seq', true))),
  ],
  'wrong-lines': [
    every,
    'end',
    all =>
      lines(all)
        .join('')
        .replace(/"lines":(\d+)/, '"lines":999'),
  ],
  'wrong-digest': [every, 'end', all => lines([...all.slice(0, -1), { ...all.at(-1), digest: zeros }]).join('')],
  'forge-wrong-counts': [['tiny', 'log'], 'seal', forged(inSeal(body => void body.counts.commit++))],
  'forge-a-count-of-none': [['tiny', 'log', 'redacted'], 'seal', forged(inSeal(body => set(body.counts, 'ref', 0)))],
  'forge-no-counts': [every, 'seal', forged(inSeal(body => void delete body.counts))],
  'forge-counts-that-balance': [
    ['redacted'],
    'seal',
    forged(inSeal(body => set(body, 'counts', { ...body.counts, note: -1, observe: body.counts.observe + 1 }))),
  ],
  'forge-counts-of-what-did-not-come': [
    ['redacted'],
    'seal',
    forged(inSeal(body => void Object.assign(body.counts, { taint: 1, observe: body.counts.observe }))),
  ],
  'forge-a-sum-that-is-wrong': [['redacted'], 'seal', forged(inSeal(body => void body.counts.observe++))],
  'forge-no-lists': [['tiny', 'log', 'refs'], 'seal', forged(inSeal(withoutLists))],
  'forge-the-number-of-commits': [['tiny', 'log', 'refs'], 'seal', forged(inSeal(body => void body.commits++))],
  'forge-commits-that-are-a-text': [['tiny'], 'seal', forged(inSeal(body => set(body, 'commits', `${body.commits}`)))],
  'forge-commits-that-are-true': [['tiny'], 'seal', forged(inSeal(body => set(body, 'commits', true)))],
  'forge-another-agent-of-the-seal': [
    ['tiny', 'log', 'refs'],
    'seal',
    forged(inSeal(body => rename(body.agents, 'x'))),
  ],
  'forge-one-agent-more': [['tiny', 'refs'], 'seal', forged(inSeal(body => set(body.agents, 'agent/x', 1)))],
  'forge-one-agent-less': [['refs'], 'seal', forged(inSeal(body => strip(body.agents, 'agent/b')))],
  'forge-another-category': [['tiny', 'log', 'refs'], 'seal', forged(inSeal(body => rename(body.categories, 'x')))],
  'forge-categories-in-a-list': [['tiny'], 'seal', forged(inSeal(body => set(body, 'categories', [1])))],
  'forge-refs-in-a-list': [['tiny'], 'seal', forged(inSeal(body => set(body, 'refs', [])))],
  'forge-one-ref-less': [['tiny', 'log', 'refs'], 'seal', forged(inSeal(body => strip(body.refs, 'branch/main')))],
  'forge-one-ref-from-before-less': [['refs'], 'seal', forged(inSeal(body => strip(body.refs, 'branch/back')))],
  'forge-one-ref-more': [['refs'], 'seal', forged(inSeal(({ refs }) => set(refs, 'branch/gone', refs['branch/kept'])))],
  'forge-a-ref-of-another-name': [
    ['refs'],
    'seal',
    forged(inSeal(({ refs }) => set(refs, 'draft/x', refs['branch/kept']))),
  ],
  'forge-the-place-of-a-ref': [['tiny', 'refs'], 'seal', forged(inSeal(body => void body.refs['branch/main'].seq--))],
  'forge-the-place-of-a-ref-from-before': [
    ['refs'],
    'seal',
    forged(inSeal(body => set(body.refs['branch/kept'], 'seq', body.from))),
  ],
  'forge-the-place-of-a-ref-as-0': [['refs'], 'seal', forged(inSeal(body => set(body.refs['branch/kept'], 'seq', 0)))],
  'forge-the-commit-of-a-ref': [
    ['tiny', 'refs'],
    'seal',
    forged(inSeal(body => set(body.refs['branch/main'], 'commit', anotherId))),
  ],
  'forge-the-commit-of-a-tag': [
    ['refs'],
    'seal',
    forged(inSeal(body => set(body.refs['tag/v1'], 'commit', anotherId))),
  ],
  'forge-a-ref-without-commit': [['refs'], 'seal', forged(inSeal(body => strip(body.refs['branch/kept'], 'commit')))],
  'forge-a-ref-that-is-a-number': [['refs'], 'seal', forged(inSeal(body => set(body.refs, 'branch/kept', 2)))],
  'forge-facts-elsewhere': [['longLists'], 'seal', forged(inSeal(body => void body.facts--))],
  'forge-facts-that-are-none': [['tiny', 'refs'], 'seal', forged(inSeal(body => set(body, 'facts', 3)))],
  'forge-facts-of-another-kind': [['longLists'], 'seal', forged(ofAnotherKind)],
  'forge-facts-out-of-order': [['longLists'], 'seal', forged(({ body }) => void (body?.part === 1 && body.part++))],
  'forge-facts-with-part-true': [
    ['longLists'],
    'seal',
    forged(({ body }) => void (body?.part && set(body, 'part', true))),
  ],
  'forge-facts-with-spaces': [
    ['longLists'],
    'seal',
    forged(({ body }) => void (body?.part && set(body, 'value', `${body.value} `))),
  ],
  'forge-facts-with-another-agent': [
    ['longLists'],
    'seal',
    forged(({ body }) => void (body?.value && set(body, 'value', body.value.replace('agent/a', 'agent/x')))),
  ],
  'forge-an-open-epoch': [every, 'seal', forged(inSeal(body => set(body, 'status', 'open')))],
  'forge-another-start': [every, 'seal', forged(inSeal(body => void body.from++))],
  'forge-another-epoch': [['tiny', 'log'], 'seal', forged(inSeal(body => set(body, 'epoch', 'q9')))],
  'forge-a-seal-of-another-kind': [
    ['tiny', 'log'],
    'seal',
    forged(entry => void (entry.body?.status === 'sealed' && set(entry, 'kind', 'note'))),
  ],
  'forge-a-seal-without-body': [
    ['tiny'],
    'seal',
    forged(entry => void (entry.body?.status === 'sealed' && delete entry.body)),
  ],
  'forge-a-second-genesis': [['tiny', 'log'], 'genesis', async all => ended(await remade(all, secondGenesis))],
  'forge-a-start-without-genesis': [['fromFirst'], 'genesis', async all => ended(await remade(all, withoutGenesis))],
  'forge-and-drop-an-entry': [['log'], 'seal', async all => ended(await withHead(withoutObservation(all)))],
}

const anotherId = 'A'.repeat(43)

function withoutLists(body) {
  for (const field of ['commits', 'agents', 'categories', 'refs']) delete body[field]
}

function rename(counts, name) {
  const [first] = Object.keys(counts)
  counts[name] = counts[first]
  delete counts[first]
}

/** The lists in entries of another kind, all of them counted. */
function ofAnotherKind(entry) {
  if (entry.body?.value !== undefined) entry.kind = 'note'
  if (entry.body?.status !== 'sealed') return
  const { epoch, ...counts } = entry.body.counts
  entry.body.counts = { ...counts, epoch: epoch - 2, note: 2 }
}

function secondGenesis(entry) {
  if (entry.body?.status === 'open') entry.kind = 'genesis'
  if (entry.body?.status === 'sealed')
    Object.assign(entry.body.counts, { epoch: entry.body.counts.epoch - 1, genesis: 1 })
}

function withoutGenesis(entry) {
  if (entry.kind === 'genesis') entry.kind = 'note'
  if (entry.body?.status !== 'sealed') return
  const { genesis, ...counts } = entry.body.counts
  entry.body.counts = { ...counts, note: genesis }
}

function withoutObservation(records) {
  const copies = structuredClone(records).filter(
    ({ entry }) => !entry?.includes('"observe","moves"') && !entry?.includes('It holds'),
  )
  copies[0].to--
  return copies
}
