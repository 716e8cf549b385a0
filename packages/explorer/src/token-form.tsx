/** Asks for a key, and says where to get one. */
import { useRef } from 'preact/hooks'
import { keepToken, token } from './source/token.ts'

export function TokenForm() {
  const input = useRef<HTMLInputElement>(null)
  return (
    <form
      class="token"
      onSubmit={event => {
        event.preventDefault()
        const text = input.current?.value.trim() ?? ''
        if (text !== '') keepToken(text)
      }}
    >
      <h2>{token.value === undefined ? 'This server asks for a key' : 'The server does not accept that key'}</h2>
      <p>
        Paste a key. You read and write with its rights. The operator gets the first one when the server starts, and a
        new one with <code>asg serve --new-token</code>; keys for others are made with <code>asg keys add</code>.
      </p>
      <label>
        Key <input ref={input} type="password" autocomplete="off" name="key" />
      </label>
      <button type="submit">Use it in this tab</button>
    </form>
  )
}
