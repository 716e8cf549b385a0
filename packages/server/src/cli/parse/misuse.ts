/** A usage error of commander as a refusal, with what to type instead. */
import type { CommanderError } from 'commander'
import { Refusal } from '../../wire/faults/refusal.ts'
import { type CommandField, optionName } from './command-entry.ts'
import type { Called } from './next-command.ts'
import { findOtherOption, findOtherWords } from './other-words.ts'

/** Words of commands, such as `branch` and `create`. */
type Words = readonly string[]

export interface Typed {
  readonly argv: readonly string[]
  /** The words of every command. */
  readonly all: readonly Words[]
  /** The command that was typed, as far as it is one. */
  readonly called: (Called & { readonly fields?: readonly CommandField[] }) | undefined
}

export function misuse({ message }: CommanderError, typed: Typed): Refusal {
  const [first = '', suggestion] = message.replace(/^error: /, '').split('\n')
  const hint = findHint(first, typed) ?? findMeant(first, suggestion) ?? findFamily(first, typed)
  return new Refusal({
    code: 'usage',
    kind: 'usage',
    message: first.charAt(0).toUpperCase() + first.slice(1),
    ...(hint === undefined ? {} : { hint }),
  })
}

/** What commander takes for a slip of the hand, unless it is another word. */
function findMeant(message: string, suggestion: string | undefined): string | undefined {
  const words = suggestion?.replace(/^\((.*)\)$/, '$1')
  const meant = /^Did you mean (\S+)\?$/.exec(words ?? '')?.[1]
  const typed = findUnknown(message)
  const option = findUnknownOption(message)
  const isOther = meant !== undefined && typed !== undefined && Math.abs(meant.length - typed.length) > 2
  return isOther || (meant !== undefined && option !== undefined && letterOf(meant) !== letterOf(option))
    ? undefined
    : words
}

/** Hands slip later in a word: what begins with another letter is another word. */
function letterOf(option: string): string {
  return option.replace(/^-+/, '').charAt(0)
}

function findUnknown(message: string): string | undefined {
  return /^unknown command '(.*)'$/i.exec(message)?.[1]
}

function findUnknownOption(message: string): string | undefined {
  return /^unknown option '(.*)'$/i.exec(message)?.[1]
}

/** What there is after the first word. */
function findFamily(message: string, { argv, all }: Typed): string | undefined {
  const [family = ''] = argv.filter(word => !word.startsWith('-'))
  const below = all.filter(words => words.length > 1 && words[0] === family).map(words => words[1])
  return findUnknown(message) === undefined || below.length === 0
    ? undefined
    : `\`asg ${family}\` has ${[...new Set(below)].join(', ')}.`
}

function findHint(message: string, { argv, all, called }: Typed): string | undefined {
  const unknown = findUnknown(message)
  if (unknown !== undefined && argv.find(word => !word.startsWith('-')) === unknown) return findOtherWords(unknown, all)
  const option = findUnknownOption(message)
  const fields = called?.fields ?? []
  if (option !== undefined)
    return findOtherOption(
      option,
      fields.map(({ name }) => optionName(name)),
    )
  if (/^too many arguments/i.test(message)) return "A text with blanks has to be in quotes, such as 'Two words'."
  const missing = /^missing required argument '(.*)'$/i.exec(message)?.[1]
  const choices = fields.find(({ name }) => name === missing)?.choices
  return choices === undefined ? undefined : `It is one of ${choices.join(', ')}.`
}
