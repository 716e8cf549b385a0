/** Words for commands that people bring from other tools, and words that need one before them. */

/** By the word that people type, the command that does it here. */
const others: Readonly<Record<string, string>> = {
  add: 'set',
  cat: 'get',
  checkout: 'switch',
  clone: 'copy',
  edit: 'set',
  fsck: 'verify',
  list: 'paths',
  ls: 'paths',
  put: 'set',
  read: 'get',
  remove: 'delete',
  reset: 'rollback',
  rm: 'delete',
  write: 'set',
}

/** What to type instead of an unknown command; `all` are the words of every command. */
export function findOtherWords(word: string, all: readonly (readonly string[])[]): string | undefined {
  const here = Object.hasOwn(others, word) ? others[word] : undefined
  if (here !== undefined) return `That is \`asg ${here}\` here.`
  const below = all.filter(words => words.length > 1 && words[1] === word).map(words => `\`asg ${words.join(' ')}\``)
  return below.length === 0 ? undefined : `It needs a word before it: ${below.join(', ')}.`
}
