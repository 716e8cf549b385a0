/** Who answered the questions of a graph's step, and why. */
import type { Answer } from '../source/shapes/state.ts'
import { Agent } from './said.tsx'
import { WholeValue } from './value.tsx'
import { visible } from './value-text.ts'

export function Answers({ answers = [] }: { readonly answers?: readonly Answer[] | undefined }) {
  return answers.map(({ node, question, value, by, reason }, i) => (
    <div key={`${i} ${node}`}>
      <p>
        {visible(node)} asked, <Agent name={by ?? 'someone'} /> answered{reason !== undefined && `: ${visible(reason)}`}
      </p>
      {question !== undefined && <WholeValue value={question} />}
      {value !== undefined && <WholeValue value={value} />}
    </div>
  ))
}
