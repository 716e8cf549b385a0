/**
 * Builds the viewer of bundles: one HTML file that works from a file URL. Its policy lets nothing run and nothing be loaded but the
 * script and the style that are in it, which it names by their hashes.
 */
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { explorerStyle, styleFiles } from './explorer-style.mjs'

export async function bundleViewer(explorer, file) {
  const bundled = await rolldown({
    input: join(explorer, 'dist/viewer/main.js'),
    platform: 'browser',
    logLevel: 'warn',
  })
  const { output } = await bundled.generate({ codeSplitting: false, comments: false, minify: true })
  await bundled.close()
  const script = inlined(output[0].code, 'script')
  const style = inlined(explorerStyle(explorer, [...styleFiles, 'src/viewer/viewer.css']), 'style')
  writeFileSync(file, pageOf(script, style))
}

/** A text that cannot end the element that it stands in. */
function inlined(text, element) {
  return text.replaceAll(`</${element}`, `<\\/${element}`).replaceAll('<!--', '<\\!--')
}

function hashOf(text) {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}

function pageOf(script, style) {
  const policy = [
    `default-src 'none'`,
    `script-src ${hashOf(script)}`,
    `style-src ${hashOf(style)}`,
    'img-src data:',
    `base-uri 'none'`,
    `form-action 'none'`,
  ].join('; ')
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>AgentStateGraph viewer</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<div id="app"></div>
<noscript>The viewer needs JavaScript. verify.mjs and verify.py check a bundle without a browser.</noscript>
<script type="module">${script}</script>
</body>
</html>
`
}
