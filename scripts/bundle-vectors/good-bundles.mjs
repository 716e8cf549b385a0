/**
 * The bundles that are as they should be, from which all others are made: one for each thing that a bundle can have.
 *
 * The clock, the ids and the keys are fixed, so they come out the same until the format changes.
 */
import { open } from 'agentstategraph'
import { access } from 'agentstategraph/access'
import { epochs, rotateKey } from 'agentstategraph/trust'
import {
  bodyOf,
  canonical,
  cosignatureLine,
  ended,
  idOf,
  keyOf,
  recordsOf,
  remade,
  signatureLine,
  withHead,
} from './bundle-lines.mjs'

export const keys = {
  log: keyOf(1, 'example.org/log'),
  next: keyOf(2, 'example.org/log'),
  other: keyOf(3, 'example.org/log'),
  witness: keyOf(4, 'example.org/witness', 4),
  second: keyOf(5, 'example.org/second', 4),
}

function fixed(signer) {
  let second = 0
  let id = 0
  const clock = () => new Date(Date.UTC(2026, 0, 1, 0, 0, second++))
  return { agent: 'agent/a', clock, ids: () => `id${id++}`, ...(signer === undefined ? {} : { signer }) }
}

async function exported(repo, options) {
  let text = ''
  for await (const line of epochs(repo).export('q1', options)) text += line
  return text
}

const long = 'Up to a hundred. '.repeat(9)

/** A log of its own for each kind of bundle that needs one; entry numbers stay small, and so do the files. */
async function inLog(signer, work) {
  const repo = await open(undefined, fixed(signer))
  try {
    return await work(repo)
  } finally {
    await repo.close()
  }
}

/** Gives the texts of all good bundles by name, and the heads that somebody may have kept. */
export async function goodBundles() {
  const tiny = await inLog(undefined, async repo => {
    await epochs(repo).create('q1', 'Tiny')
    await repo.set('/limit', 200, 'Raise')
    await epochs(repo).seal('q1', 'Done')
    return { tiny: await exported(repo) }
  })

  const signed = await inLog(keys.log, async repo => {
    await repo.set('/note', 'before', 'Before')
    await repo.set('/note', 'still', 'Before')
    await epochs(repo).create('q1', 'First')
    await repo.set('/refunds', { limit: 1.5, text: long }, { description: 'Limit', reasoning: 'Finance asked' })
    await repo.set('/refunds/limit', 200, 'Raise')
    await repo.observe('main', { held: true, note: 'It holds' })
    await epochs(repo).seal('q1', 'Settled')
    return {
      signed: await exported(repo),
      log: await exported(repo, { profile: 'log' }),
      redacted: await exported(repo, { profile: 'redacted' }),
      since: await exported(repo, { profile: 'log', since: 1 }),
    }
  })

  const paths = await inLog(keys.log, async repo => {
    await epochs(repo).create('q1', 'Paths')
    await repo.set('/', { open: { text: long, more: [long, { deep: long }] }, shut: { text: `${long}!` } }, 'Both')
    await repo.set('/shut/text', `${long}?`, 'Shut')
    await epochs(repo).seal('q1', 'Done')
    return { paths: await exported(repo, { paths: ['/open/more/*/deep', '/open/text'] }) }
  })

  const rotated = await inLog(keys.log, async repo => {
    await rotateKey(repo, keys.next)
    await epochs(repo).create('q1', 'Rotated')
    await repo.set('/limit', 1, 'Set')
    await epochs(repo).seal('q1', 'Done')
    return { rotatedBefore: await exported(repo, { profile: 'log' }) }
  })

  const rotatedWithin = await inLog(keys.log, async repo => {
    await epochs(repo).create('q1', 'Rotated')
    await rotateKey(repo, keys.next)
    await epochs(repo).seal('q1', 'Done')
    return { rotatedWithin: await exported(repo, { profile: 'log' }) }
  })

  const refs = await inLog(undefined, async repo => {
    await repo.set('/limit', 1, 'Set')
    await repo.branch('kept')
    await repo.branch('gone')
    await epochs(repo).create('q1', 'Refs')
    await repo.set('/limit', 2, { description: 'Set', category: 'Fix', agent: 'agent/b' })
    await repo.tag('v1')
    await repo.branch('back', { from: 'kept' })
    await repo.deleteBranch('gone')
    await repo.set('/limit', 3, 'Set')
    await epochs(repo).seal('q1', 'Done')
    return { refs: await exported(repo, { profile: 'log' }) }
  })

  const authority = await inLog(keys.log, async repo => {
    await repo.set('/', { limit: 100, team: {} }, 'Begin')
    const lead = await openLead(repo)
    await epochs(repo).create('q1', 'Authority')
    await delegatedWork(repo, lead)
    await epochs(repo).seal('q1', 'Done')
    return {
      authority: await exported(repo),
      authorityLog: await exported(repo, { profile: 'log' }),
      authorityPaths: await exported(repo, { paths: ['/team'] }),
      authorityRedacted: await exported(repo, { profile: 'redacted' }),
    }
  })

  const authorityUnchanged = await inLog(keys.log, async repo => {
    await repo.set('/limit', 100, 'Begin')
    const lead = await openLead(repo)
    await epochs(repo).create('q1', 'No decision')
    await lead.repo.set('/limit', 200, 'Raise')
    await epochs(repo).seal('q1', 'Done')
    return { authorityUnchanged: await exported(repo, { profile: 'log' }) }
  })

  const authorityWithin = await inLog(keys.log, async repo => {
    await epochs(repo).create('q1', 'Access begins')
    await repo.set('/', { limit: 100, team: {} }, 'Begin')
    await delegatedWork(repo, await openLead(repo))
    await epochs(repo).seal('q1', 'Done')
    return { authorityWithin: await exported(repo, { profile: 'log' }) }
  })

  const texts = {
    ...tiny,
    ...signed,
    ...paths,
    ...rotated,
    ...rotatedWithin,
    ...refs,
    ...authority,
    ...authorityUnchanged,
    ...authorityWithin,
  }
  texts.hostileText = ended(await remade(recordsOf(texts.tiny), withHostileText))
  texts.witnessed = await witnessed(texts.log)
  texts.fromFirst = ended(await fromFirst(recordsOf(texts.tiny)))
  texts.dropped = ended(await dropped(recordsOf(texts.tiny)))
  texts.erased = ended(await erased(recordsOf(texts.tiny)))
  texts.longLists = ended(await longLists(recordsOf(texts.refs)))
  return { texts, heads: await keptHeads(texts) }
}

/** A session of an agent without a key: keys are random, and would come out otherwise each time. */
function openLead(repo) {
  const scope = { capabilities: ['read', 'commit', 'grant'], paths: ['/limit', '/team'], depth: 2 }
  return access(repo).openSession({ agent: 'agent/lead', branch: 'main', scope })
}

/** Work of an agent, of one that it delegates to, and of the operator when both have ended. */
async function delegatedWork(repo, lead) {
  const raise = { description: 'Raise', reasoning: 'Asked', confidence: 0.9 }
  await lead.repo.set('/limit', 200, raise)
  const helper = await lead.delegate({ agent: 'agent/lead/helper', scope: { paths: ['/team'] } })
  await helper.repo.set('/team', { lead: 'ann' }, 'Name the lead')
  await helper.end({ outcome: 'fulfilled', summary: 'Named' })
  await lead.end({ outcome: 'fulfilled', summary: 'Raised' })
  await repo.set('/limit', 150, 'Lower')
}

/** What a terminal would take as orders, and what turns the direction of text. */
function withHostileText({ body }, commit) {
  const category = '\u001b[2J\u009b31m\u202eenifeR\u2066 \u{1f600}'
  if (commit !== undefined) commit.intent.category = category
  if (body?.status === 'sealed') body.categories = { [category]: 1 }
}

/** An epoch that begins with the log itself. */
async function fromFirst([header, , checkpoint, ...rest]) {
  const body = { format: 2, limits: {}, origin: 'id0' }
  const moves = [['system/genesis', null, 0]]
  const genesis = { agent: 'agent/a', body, kind: 'genesis', moves, time: '2026-01-01T00:00:00.000Z', v: 2 }
  const first = { type: 'entry', entry: canonical(genesis) }
  const records = [{ ...header, from: 1 }, { type: 'prior', hashes: [] }, checkpoint, first, ...rest]
  return remade(records, entry => {
    if (entry.body?.status === 'sealed')
      Object.assign(entry.body, { from: 1, counts: { ...entry.body.counts, genesis: 1 } })
  })
}

/** An epoch with two encrypted values, of which one was erased. */
async function erased(records) {
  const state = canonical([
    'map',
    {},
    { ann: { $sealed: ['key/ann', '/{subject}', 'AAAA'] }, bob: [{ $sealed: ['key/bob', '/*/{subject}', 'AAAA'] }] },
  ])
  const body = { key: 'key/ann', reason: 'Asked for' }
  const entry = { agent: 'agent/a', body, kind: 'erase', moves: [], time: '2026-01-01T00:00:02.000Z', v: 2 }
  const changed = await remade(records, (each, commit) => {
    if (commit !== undefined) commit.tree = idOf(state)
    if (each.body?.status === 'sealed') each.body.counts.erase = 1
  })
  const at = changed.findIndex(({ type }) => type === 'node')
  changed[at] = { type: 'node', node: state }
  changed.splice(-2, 0, { type: 'entry', entry: canonical(entry) })
  changed[0] = { ...changed[0], to: changed[0].to + 1 }
  return withHead(changed)
}

/** An epoch whose seal has its lists in the two entries before it. */
async function longLists(records) {
  const [seal] = records.splice(-2)
  const entry = JSON.parse(seal.entry)
  const { commits, agents, categories, refs, ...body } = entry.body
  const text = canonical({ commits, agents, categories, refs })
  const { epoch, counts } = body
  const bodies = [
    { epoch, more: 1, value: text.slice(0, 40) },
    { part: 1, value: text.slice(40) },
    { ...body, counts: { ...counts, epoch: counts.epoch + 2 }, facts: records[0].to },
  ]
  const { agent, kind, time, v } = entry
  const entries = bodies.map((each, i) => ({ agent, body: each, kind, moves: i === 2 ? entry.moves : [], time, v }))
  const added = entries.map(each => ({ type: 'entry', entry: canonical(each) }))
  const [header, ...rest] = records
  return withHead([{ ...header, to: header.to + 2 }, ...rest, ...added])
}

/** An epoch with a commit on a draft whose states were cleared away. */
async function dropped(records) {
  const moved = await remade(records, ({ body, moves }) => {
    for (const move of moves) if (move[0] === 'branch/main') move[0] = 'draft/x'
    if (body?.status === 'sealed') Object.assign(body, { commits: 0, agents: {}, categories: {}, refs: {} })
  })
  const kept = moved.filter(({ type }) => type !== 'node')
  return kept.map(record => (record.commit === undefined ? record : { ...record, dropped: 1 }))
}

async function witnessed(text) {
  const records = recordsOf(text)
  const checkpoint = records.find(({ type }) => type === 'checkpoint')
  checkpoint.head += await cosignatureLine(keys.witness, bodyOf(checkpoint.head), 1767229200)
  return ended(records)
}

/** Heads that an auditor may hold: of this log, of another, and one that the log contradicts. */
async function keptHeads({ since, signed }) {
  const record = recordsOf(since).find(({ type }) => type === 'since')
  const { origin, to } = recordsOf(signed)[0]
  const { head } = recordsOf(signed).find(({ type }) => type === 'checkpoint')
  const note = async body => `${body}\n${await signatureLine(keys.log, body)}`
  return {
    early: await note(`${origin}\n${record.size}\n${record.root}\n`),
    fork: await note(`${origin}\n${record.size}\n${Buffer.alloc(32, 7).toString('base64')}\n`),
    same: head,
    sameFork: await note(`${origin}\n${to}\n${Buffer.alloc(32, 7).toString('base64')}\n`),
    newer: await note(`${origin}\n${to + 1}\n${Buffer.alloc(32, 7).toString('base64')}\n`),
    elsewhere: await note(`example.com/elsewhere\n1\n${record.root}\n`),
  }
}
