/**
 * Completion scripts for shells. They contain every command and option, so that completing those starts no process; branches, paths
 * and other names come from the store (`asg __complete`).
 *
 * All three work alike: they follow the typed words as long as they are commands, and offer what can follow.
 */

import { shellWord } from '../../terminal/command-text.ts'
import type { CompletionPoint } from './words.ts'

export const shells = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof shells)[number]

function texts(list: CompletionPoint['words']): string {
  return list.map(({ text }) => text).join(' ')
}

function bash(points: readonly CompletionPoint[]): string {
  const cases = points.map(
    ({ path, words, options }) => `    '${path}') words='${texts(words)}' options='${texts(options)}' ;;`,
  )
  return `# Completion of asg for bash:  source <(asg completion bash)
_asg_at() {
  case "$1" in
${cases.join('\n')}
    *) return 1 ;;
  esac
}
_asg() {
  local path='' word words options current="\${COMP_WORDS[COMP_CWORD]}"
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    _asg_at "\${path:+$path }$word" && path="\${path:+$path }$word"
  done
  _asg_at "$path"
  if [[ $current == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$current"))
  else
    COMPREPLY=($(compgen -W "$words" -- "$current"))
    if [[ \${#COMPREPLY[@]} -eq 0 && -n $path ]]; then
      local IFS=$'\\n'
      COMPREPLY=($(asg __complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
      [[ \${COMPREPLY[0]} == */ ]] && compopt -o nospace
    fi
  fi
}
complete -o default -F _asg asg
`
}

function zsh(points: readonly CompletionPoint[]): string {
  const described = (list: CompletionPoint['words']): string =>
    list.map(({ text, about }) => shellWord(`${text.replaceAll(':', '\\:')}:${about}`)).join(' ')
  const cases = points.map(
    ({ path, words, options }) =>
      `    '${path}') words_here=(${described(words)}) options_here=(${described(options)}) ;;`,
  )
  return `#compdef asg
# Completion of asg for zsh:  source <(asg completion zsh)
_asg_at() {
  case "$1" in
${cases.join('\n')}
    *) return 1 ;;
  esac
}
_asg() {
  local path_here='' word
  local -a words_here options_here
  for word in "\${(@)words[2,CURRENT-1]}"; do
    _asg_at "\${path_here:+$path_here }$word" && path_here="\${path_here:+$path_here }$word"
  done
  _asg_at "$path_here"
  if [[ $words[CURRENT] == -* ]]; then
    _describe 'option' options_here
  else
    local -a values_here
    (( \${#words_here} )) || values_here=("\${(@f)$(asg __complete "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
    if (( \${#words_here} )); then _describe 'command' words_here
    elif [[ -n $values_here[1] ]]; then compadd -S '' -- $values_here
    else _files; fi
  fi
}
compdef _asg asg
`
}

function fish(points: readonly CompletionPoint[]): string {
  const paths = points.map(({ path }) => shellWord(path)).join(' ')
  const lines = points.flatMap(({ path, words, options }) => {
    const here = `-n ${shellWord(`test (__asg_path) = ${shellWord(path)}`)}`
    return [
      ...words.map(({ text, about }) => `complete -c asg -f ${here} -a ${text} -d ${shellWord(about)}`),
      ...options.map(({ text, about }) => `complete -c asg ${here} -l ${text.slice(2)} -d ${shellWord(about)}`),
    ]
  })
  return `# Completion of asg for fish:  asg completion fish | source
set -g __asg_paths ${paths}
function __asg_path
  set -l path ''
  for word in (commandline -opc)[2..-1]
    set -l longer (string trim "$path $word")
    contains -- "$longer" $__asg_paths; and set path $longer
  end
  echo "$path"
end
function __asg_values
  asg __complete (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null
end
complete -c asg -n 'test -n (__asg_path)' -a '(__asg_values)'
${lines.join('\n')}
`
}

const scripts: Readonly<Record<Shell, (points: readonly CompletionPoint[]) => string>> = { bash, zsh, fish }

export function completionScript(shell: Shell, points: readonly CompletionPoint[]): string {
  return scripts[shell](points)
}
