/** A button that copies a text. Over plain http there is no clipboard, so the text is shown selected instead. */
import { useState } from 'preact/hooks'

export function Copy({ text, what }: { readonly text: string; readonly what: string }) {
  const [said, say] = useState<'idle' | 'copied' | 'shown'>('idle')
  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(text)
      say('copied')
    } catch {
      say('shown')
    }
  }
  return (
    <span class="copy">
      <button type="button" onClick={() => void copy()}>
        {said === 'copied' ? 'Copied' : `Copy ${what}`}
      </button>
      {said === 'shown' && (
        <textarea
          readOnly
          rows={3}
          aria-label={`The ${what}, to be copied`}
          value={text}
          ref={area => area?.select()}
        />
      )}
    </span>
  )
}
