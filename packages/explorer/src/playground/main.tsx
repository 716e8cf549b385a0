/** Draws the playground: the library in a page, without a server behind it. */
import '@preact/signals'
import { render } from 'preact'
import { Playground } from './playground.tsx'

render(<Playground />, document.getElementById('app')!)
