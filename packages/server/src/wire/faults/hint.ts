/**
 * The next step after a failure, in terms of operations.
 *
 * Some hints of the library name its calls. They are replaced here by hints that name operations; all others are used as they
 * are.
 */

type Data = Readonly<Record<string, unknown>>

const hints: Readonly<Record<string, (data: Data) => string>> = {
  'schema-violation': () => 'Nothing was written. list_schemas shows what is attached.',
  'path-not-found': () => 'list_paths shows what is there.',
  'access-denied': () => 'Nothing was changed. explain says which grant would be needed.',
  'too-costly': ({ limit }) =>
    'Nothing is half written. Ask for less at once: a page (limit, cursor), a narrower path or filter, fewer edits. ' +
    `The operator of the server can raise it with asg serve --${String(limit)}.`,
  'principal-unknown': () => 'add_principal makes one, and gives its key.',
  'approval-required': ({ proposal, approvers }) =>
    `Do not send it again. ${Array.isArray(approvers) ? approvers.join(' or ') : 'Another principal with the capability approve'} ` +
    `can approve ${String(proposal)}; get_proposal shows what became of it.`,
  'rule-denied': () =>
    'Nothing was changed. policy_list shows the rule; another version of it has to be ratified to lift it.',
  'rule-unknown': () => 'policy_list shows those there are.',
  'proposal-unknown': () => 'list_proposals shows those there are.',
  'proposal-impossible': () => 'Nothing was changed. It needs a principal that may do it without approval.',
  tainted: ({ taint }) => `Nothing was changed. A principal with release can release_taint ${String(taint)}.`,
  quarantined: ({ taint }) => `A principal with release can read it and can release_taint ${String(taint)}.`,
  'taint-unknown': () => 'list_taints shows those there are.',
}

export function hintOf(code: string, data: unknown, ofLibrary: string | undefined): string | undefined {
  return Object.hasOwn(hints, code) ? hints[code]!((data ?? {}) as Data) : ofLibrary
}
