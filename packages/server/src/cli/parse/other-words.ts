/** Words for commands that people bring from other tools, and words that need one before them. */

/** By the word that people type, the command that does it here. */
const others: Readonly<Record<string, string>> = {
  add: 'set',
  cat: 'get',
  checkout: 'switch',
  clone: 'copy',
  dump: 'export',
  edit: 'set',
  fetch: 'pull',
  find: 'query',
  fsck: 'verify',
  grep: 'search',
  info: 'status',
  list: 'paths',
  load: 'import',
  ls: 'paths',
  push: 'copy',
  put: 'set',
  read: 'get',
  rebase: 'merge',
  remove: 'delete',
  reset: 'rollback',
  rm: 'delete',
  stash: 'spec new',
  tail: 'watch',
  update: 'set',
  write: 'set',
}

/** By the option that people type, the one that says it here. */
const otherOptions: Readonly<Record<string, string>> = {
  after: 'since',
  author: 'agent',
  before: 'until',
  branch: 'ref',
  grep: 'text',
  'max-count': 'limit',
  reason: 'reasoning',
}

/** What to type instead of an unknown option of a command that has the options `here`. */
export function findOtherOption(typed: string, here: readonly string[]): string | undefined {
  const name = typed.replace(/^--/, '')
  const other = Object.hasOwn(otherOptions, name) ? otherOptions[name] : undefined
  return other !== undefined && here.includes(other) ? `That is --${other} here.` : undefined
}

/** What to type instead of an unknown command; `all` are the words of every command. */
export function findOtherWords(word: string, all: readonly (readonly string[])[]): string | undefined {
  const here = Object.hasOwn(others, word) ? others[word] : undefined
  if (here !== undefined) return `That is \`asg ${here}\` here.`
  const below = all.filter(words => words.length > 1 && words[1] === word).map(words => `\`asg ${words.join(' ')}\``)
  return below.length === 0 ? undefined : `It needs a word before it: ${below.join(', ')}.`
}
