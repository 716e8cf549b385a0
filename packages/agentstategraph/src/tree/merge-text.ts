/** Three-way merge of texts, line by line. */

import { planMerge } from './merge-plan.ts'

/** The merged text, or undefined when both sides changed the same lines differently. */
export function mergeText(base: string, ours: string, theirs: string): string | undefined {
  const [b, o, t] = [linesOf(base), linesOf(ours), linesOf(theirs)]
  const plan = planMerge(b, o, t, 'conflict')
  if (plan === undefined) return undefined
  let text = ''
  for (const step of plan) {
    if (step.kind === 'ours') text += o[step.index]
    else if (step.kind === 'theirs') text += t[step.index]
    else {
      const [was, mine, yours] = [b[step.base]!, o[step.ours]!, t[step.theirs]!]
      if (mine !== yours && mine !== was && yours !== was) return undefined
      text += mine === was ? yours : mine
    }
  }
  return text
}

/** The lines with their ends, so that joining them gives the text back. */
function linesOf(text: string): string[] {
  return text.split(/(?<=\n)/)
}
