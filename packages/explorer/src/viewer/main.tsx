/** Draws the viewer: one file that verifies a bundle and shows what is in it, without a server and without a network. */
import '@preact/signals'
import { render } from 'preact'
import { Viewer } from './viewer.tsx'

render(<Viewer />, document.getElementById('app')!)
