/** Runs the programs on a page of docs/ in another language, and compares what they print with what the page says. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../tools.mjs'

/** The blocks of one language, each with its line and the `text` block right after it. */
export function programsOf(page, language) {
  const markdown = readFileSync(join(root, page), 'utf8')
  const fences = [...markdown.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)]
  return fences.flatMap(([, tag, code], at) => {
    if (tag !== language) return []
    const next = fences[at + 1]
    const printed = next?.[1] === 'text' ? next[2] : undefined
    return [{ line: markdown.slice(0, fences[at].index).split('\n').length, code, printed }]
  })
}

/** Runs each program with `run`, which gives its output, and throws when one prints something else. */
export function checkPage(page, language, run) {
  const programs = programsOf(page, language)
  if (programs.length === 0) throw new Error(`${page} has no program in ${language}`)
  for (const { line, code, printed } of programs) {
    const output = run(code)
    if (printed !== undefined && output.trimEnd() !== printed.trimEnd())
      throw new Error(`${page}:${line} prints:\n${output}`)
  }
}
