/** Where a bundle is dropped or chosen, with the keys and the head that its reader trusts. */
import { useRef } from 'preact/hooks'
import { openFile } from './opened.ts'

export function FileForm() {
  const form = useRef<HTMLFormElement>(null)
  const open = (file: File | null | undefined): void => {
    if (file === null || file === undefined) return
    const data = new FormData(form.current!)
    const keys = String(data.get('keys'))
      .split(/\s+/)
      .filter(key => key !== '')
    const prior = String(data.get('prior')).trim()
    void openFile(file, { keys, ...(prior === '' ? {} : { prior: `${prior}\n` }) })
  }
  return (
    <form
      ref={form}
      class="panel drop"
      onSubmit={event => event.preventDefault()}
      onDragOver={event => event.preventDefault()}
      onDrop={event => {
        event.preventDefault()
        open(event.dataTransfer?.files[0])
      }}
    >
      <p>Drop an exported bundle here. It is read in this page: nothing is sent, and nothing is stored.</p>
      <label>
        Public keys that you trust, if you have them{' '}
        <textarea name="keys" rows={2} placeholder="name+hash+base64, one in a line" />
      </label>
      <label>
        A signed head that you kept{' '}
        <textarea name="prior" rows={2} placeholder="to see that nothing was rewritten since" />
      </label>
      <label>
        Bundle <input type="file" onChange={event => open(event.currentTarget.files?.[0])} />
      </label>
    </form>
  )
}
