/** What people want next after principals, keys, grants, sessions, rules and taints. */
import { type Done, firstOf, namespaceOf, type Steps, word } from './done.ts'

function explained({ result: { to }, input }: Done): string {
  return `explain ${word(to)} commit${namespaceOf(input)}`
}

export const peopleSteps: Steps = {
  whoami: () => 'principal list',
  add_principal: ({ input, result: { id } }) => `grant add ${word(id)} read commit${namespaceOf(input)}`,
  list_principals: ({ input, result }) => {
    const first = firstOf(result)
    return `${first === undefined ? 'principal add agent/a' : `grant list ${word(first['id'])}`}${namespaceOf(input)}`
  },
  add_key: ({ input }) => `keys list${namespaceOf(input)}`,
  list_keys: ({ input, result }) => {
    const first = firstOf(result)
    return `${first === undefined ? 'principal add agent/a' : `grant list ${word(first['principal'])}`}${namespaceOf(input)}`
  },
  revoke_key: ({ input }) => `keys list${namespaceOf(input)}`,
  rotate_key: ({ input }) => `keys list${namespaceOf(input)}`,
  grant: explained,
  revoke_grant: ({ input }) => `grant list${namespaceOf(input)}`,
  list_grants: ({ input, result }) => {
    const first = firstOf(result)
    return first === undefined ? `principal list${namespaceOf(input)}` : explained({ input, result: first })
  },
  explain: ({ input, result: { allowed } }) => {
    const { principal, capability, path } = input
    const at = path === undefined ? '' : ` --paths ${word(path)}`
    const next =
      allowed === true ? `grant list ${word(principal)}` : `grant add ${word(principal)} ${word(capability)}${at}`
    return `${next}${namespaceOf(input)}`
  },
  list_refusals: ({ input, result }) => {
    const first = firstOf(result)
    return `${first === undefined ? 'principal list' : `grant list ${word(first['principal'])}`}${namespaceOf(input)}`
  },
  freeze: ({ input, result: { principal, branch } }) => {
    const target = principal === undefined ? `--branch ${word(branch)}` : word(principal)
    return `thaw ${target} --reason 'What was found'${namespaceOf(input)}`
  },
  thaw: () => 'log -n 5',
  sessions: ({ result }) => {
    const first = firstOf(result)
    return first === undefined ? 'session create agent/a' : `session show ${word(first['id'])}`
  },
  create_session: ({ result: { id } }) => `session show ${word(id)}`,
  get_session: ({ result: { id } }) => `query --session ${word(id)}`,
  end_session: () => 'session reports',
  session_reports: () => 'session list',
  policy_list: ({ result }) =>
    firstOf(result) === undefined
      ? 'policy propose unsure require-approval --when \'{"confidence":{"max":0.5}}\''
      : 'proposal list',
  policy_propose: ({ result: { id } }) => `policy ratify ${word(id)} --reason 'Why it holds'`,
  policy_ratify: () => 'policy list',
  list_proposals: ({ result }) => {
    const first = firstOf(result)
    return first === undefined ? 'policy list' : `proposal show ${word(first['id'])}`
  },
  get_proposal: ({ result: { id } }) => `proposal approve ${word(id)} --reason 'Why it is right'`,
  approve: () => 'show HEAD',
  reject: () => 'proposal list',
  taint: () => 'taint list',
  list_taints: ({ result }) => {
    const first = firstOf(result)
    return first === undefined
      ? "taint add /path warn --reason 'Why'"
      : `taint release ${word(first['id'])} --reason 'What was found'`
  },
  release_taint: () => 'taint list',
}
