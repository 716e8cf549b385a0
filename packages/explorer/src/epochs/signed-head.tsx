/** A signed head: a short text that stands for the whole history up to a seal, and who signed it. */
import { Copy } from '../parts/copy.tsx'
import { visible } from '../parts/value-text.ts'

export function SignedHead({ text }: { readonly text: string }) {
  const [origin = '', size = ''] = text.split('\n')
  const signers = [...text.matchAll(/^— (\S+) /gm)].map(([, name = '']) => name)
  const [own, ...witnesses] = signers
  return (
    <details>
      <summary>
        Signed head of {visible(origin)}, {visible(size)} entries
        {own !== undefined && `, signed by ${visible(own)}`}
        {witnesses.length > 0 ? `, witnessed by ${visible(witnesses.join(', '))}` : ', no witness yet'}
      </summary>
      <pre>{visible(text)}</pre>
      <Copy text={text} what="the head" />
      <p class="hint">
        Who keeps this text can later prove that nothing before it was rewritten. A witness signs it too:{' '}
        <code>asg epoch witness-request</code>, then <code>asg epoch cosign</code>.
      </p>
    </details>
  )
}
