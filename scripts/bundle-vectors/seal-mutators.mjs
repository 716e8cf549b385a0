/** Ends and seals that do not count what there is. */
import { ended, remade, withHead } from './bundle-lines.mjs'
import { every, forged, inSeal, lines, set, zeros } from './mutator-tools.mjs'

export const sealMutators = {
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
