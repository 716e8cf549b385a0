/** Decisions about access left out, replaced or forged, and commits that stand on none. The holder of the key makes all of it fit. */
import { canonical, ended, remade, withNode } from './bundle-lines.mjs'
import { keys } from './good-bundles.mjs'
import { edited, find, isCommit, put, retext, set, strip, zeros } from './mutator-tools.mjs'

const withDecisions = ['authority', 'authorityLog', 'authorityPaths', 'authorityWithin']

/** A change to the commits of one agent, sealed again by the holder of the key. */
const byHolder =
  (agent, change, inSeal = () => {}) =>
  async records =>
    ended(
      await remade(
        records,
        (entry, commit) => {
          if (commit?.agent === agent && commit.intent.category !== 'Access') change(commit, entry)
          if (entry.body?.status === 'sealed') inSeal(entry.body)
        },
        [keys.log],
      ),
    )

/** A change to the record of a grant, with all ids above it. */
const regranted = change => async records => ended(await remade(withGrant(records, change), () => {}, [keys.log]))

function withGrant(records, change) {
  const at = records.findLastIndex(({ node }) => node?.includes('"capabilities"') && !node.includes('"revoked"'))
  const node = JSON.parse(records[at].node)
  change(node[2])
  return withNode(records, at, canonical(node))
}

const onlyOperator = body => set(body, 'agents', { ...body.agents, 'agent/a': body.agents['agent/a'] - 1 })

export const authorityMutators = {
  'access-dropped': [['authority', 'authorityLog', 'authorityPaths'], 'moves', edited(withoutAccess)],
  'access-dropped-where-nothing-was-decided': [['authorityUnchanged'], 'seal', edited(withoutAccess)],
  'access-twice': [['authorityLog'], 'order', edited(all => void all.splice(3, 0, find(all, 'access')))],
  'access-in-redacted': [
    ['authorityRedacted'],
    'order',
    edited(all => void all.splice(3, 0, { type: 'access', seq: 3, entry: '', commit: '', proof: [] })),
  ],
  'access-another-number': [['authorityLog'], 'access', edited(all => void find(all, 'access').seq--)],
  'access-number-0': [['authorityLog'], 'access', put('access', 'seq', 0)],
  'access-number-within': [['authorityLog'], 'access', edited(all => set(find(all, 'access'), 'seq', all[0].from))],
  'access-another-proof': [['authorityLog'], 'access', edited(all => set(find(all, 'access').proof, 0, zeros))],
  'access-longer-proof': [['authorityLog'], 'access', edited(all => void find(all, 'access').proof.push(zeros))],
  'access-entry-edited': [
    ['authority', 'authorityLog'],
    'access',
    retext('access', 'entry', text => text.replace('agent/a', 'agent/x')),
  ],
  'access-commit-edited': [
    ['authority', 'authorityLog'],
    'access',
    retext('access', 'commit', text => text.replace('agent/a', 'agent/x')),
  ],
  'access-of-no-decision': [
    ['authorityLog'],
    'access',
    retext('access', 'entry', text => text.replace('system/access', 'branch/x')),
  ],
  'access-node-dropped': [withDecisions, 'missing-node', edited(all => all.filter(one => one !== grantNode(all)))],
  'access-node-edited': [
    withDecisions,
    'unneeded-node',
    edited(all => {
      const node = grantNode(all)
      node.node = node.node.replace('"commit"', '"merge"')
    }),
  ],
  'access-moved-by-a-ref': [
    ['authorityLog', 'authorityWithin'],
    'moves',
    edited(all => {
      const record = all.find(one => isCommit(one) && one.entry.includes('"branch/main"'))
      record.entry = canonical({ ...JSON.parse(record.entry), moves: [['system/access', null, 1]] })
    }),
  ],
  'forge-another-path': [
    withDecisions,
    'authority',
    byHolder('agent/lead', (_, entry) => set(entry, 'changed', ['/billing'])),
  ],
  'forge-a-folded-path-elsewhere': [
    ['authorityLog'],
    'authority',
    byHolder('agent/lead', (_, entry) => set(entry, 'changed', ['/billing/**'])),
  ],
  'forge-a-change-of-meta': [
    ['authorityLog'],
    'authority',
    byHolder('agent/lead', (_, entry) => set(entry, 'changed', ['/_meta/schemas'])),
  ],
  'forge-a-merge': [
    ['authorityLog'],
    'authority',
    byHolder('agent/lead', commit => set(commit, 'parents', [...commit.parents, 'A'.repeat(43)])),
  ],
  'forge-a-principal-less-authority': [
    ['authorityLog'],
    'authority',
    byHolder('agent/lead', commit => strip(commit, 'principal')),
  ],
  'forge-another-principal': [
    withDecisions,
    'authority',
    byHolder('agent/lead', commit => set(commit, 'principal', 'agent/bob')),
  ],
  'forge-other-actors': [
    ['authorityLog'],
    'authority',
    byHolder('agent/lead/helper', commit => set(commit, 'actors', ['agent/lead/helper'])),
  ],
  'forge-a-commit-without-authority': [
    withDecisions,
    'authority',
    byHolder('agent/lead', commit => strip(commit, 'authority')),
  ],
  'forge-a-commit-without-its-session': [
    ['authorityLog'],
    'authority',
    byHolder('agent/lead', commit => strip(commit, 'session')),
  ],
  'forge-a-grant-that-a-later-decision-gives': [
    ['authorityLog', 'authorityWithin'],
    'authority',
    async records => {
      const helper = records
        .map(({ commit }) => commit && JSON.parse(commit))
        .find(one => one?.agent === 'agent/lead/helper')
      return byHolder('agent/lead', commit => set(commit, 'authority', helper.authority))(records)
    },
  ],
  'forge-a-commit-after-the-revocation': [
    withDecisions,
    'authority',
    async records => {
      const lead = records
        .map(({ commit }) => commit && JSON.parse(commit))
        .find(one => one?.agent === 'agent/lead' && one.authority !== undefined)
      const { agent, principal, authority, session, actors } = lead
      const isLast = commit => commit.intent.description === 'Lower'
      return byHolder(
        'agent/a',
        (commit, entry) => {
          if (!isLast(commit)) return
          Object.assign(commit, { agent, principal, authority, session, actors })
          entry.agent = agent
        },
        body => {
          onlyOperator(body)
          body.agents[agent]++
          if (body.agents['agent/a'] === 0) strip(body.agents, 'agent/a')
        },
      )(records)
    },
  ],
  'forge-a-grant-of-another-giver': [withDecisions, 'authority', regranted(grant => set(grant, 'from', 'operator'))],
  'forge-a-grant-without-parent': [
    ['authorityLog'],
    'authority',
    regranted(grant => {
      grant.from = 'operator'
      delete grant.parent
    }),
  ],
  'forge-a-grant-that-expired': [
    ['authorityLog'],
    'authority',
    regranted(grant => set(grant, 'expires', '2026-01-01T00:00:00.000Z')),
  ],
  'forge-a-grant-that-ends-on-30-february': [
    ['authorityLog'],
    'authority',
    regranted(grant => set(grant, 'expires', '2027-02-30T00:00:00.000Z')),
  ],
  'forge-a-grant-for-another-branch': [
    ['authorityLog'],
    'authority',
    regranted(grant => set(grant, 'branches', ['other/*'])),
  ],
}

function grantNode(all) {
  return all.find(({ node }) => node?.includes('"capabilities"'))
}

function withoutAccess(all) {
  const at = all.findIndex(({ type }) => type === 'access')
  const end = all.findIndex(({ type }, i) => i > at && type !== 'node')
  return [...all.slice(0, at), ...all.slice(end)]
}
