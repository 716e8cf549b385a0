/** The entries for browsers, as a bundler and a page take them. */
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Browser } from 'playwright-core'
import { type OutputChunk, rolldown } from 'rolldown'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listBlocks } from '../../../scripts/pages/page-blocks.mjs'
import { startBrowser } from './support/browser.ts'
import { type FileServer, serveFiles } from './support/files.ts'

const resolve = createRequire(import.meta.url).resolve

/** Bundles a program as a user's build does. */
async function build(program: string): Promise<{ chunks: readonly OutputChunk[]; warnings: readonly string[] }> {
  const file = join(mkdtempSync(join(tmpdir(), 'asg-entry-')), 'main.mjs')
  writeFileSync(
    file,
    program.replaceAll(/'(agentstategraph\/[\w/]+)'/g, (_, id: string) => JSON.stringify(resolve(id))),
  )
  const warnings: string[] = []
  const bundled = await rolldown({
    input: file,
    platform: 'browser',
    onLog: (_, { message }) => warnings.push(message),
  })
  const { output } = await bundled.generate({ minify: true, comments: false })
  await bundled.close()
  return { chunks: output.filter(one => one.type === 'chunk'), warnings }
}

/** The bytes, packed, that a page loads before it runs: the entry and what it imports. */
function sizeOf(chunks: readonly OutputChunk[]): number {
  const byName = new Map(chunks.map(chunk => [chunk.fileName, chunk]))
  const loaded = new Set(chunks.filter(({ isEntry }) => isEntry).map(({ fileName }) => fileName))
  for (const name of loaded) for (const other of byName.get(name)!.imports) loaded.add(other)
  return [...loaded].reduce((sum, name) => sum + gzipSync(byName.get(name)!.code, { level: 9 }).length, 0)
}

describe('a bundler', () => {
  it.each([
    ['open', 'agentstategraph/browser', 80_000],
    ['openBundle', 'agentstategraph/browser/bundle', 75_000],
    ['verifyBundle', 'agentstategraph/browser/verify', 20_000],
  ])('builds %s of %s without a warning, without Node, in at most %i bytes', async (name, entry, most) => {
    const { chunks, warnings } = await build(`import { ${name} } from '${entry}'\nglobalThis.it = ${name}\n`)
    expect(warnings).toEqual([])
    expect(chunks.flatMap(({ code }) => code.match(/["'`]node:\w*/g) ?? [])).toEqual([])
    expect(sizeOf(chunks)).toBeLessThan(most)
  })
})

describe('the library in a page', () => {
  let browser: Browser
  let files: FileServer

  beforeAll(async () => {
    browser = await startBrowser()
    files = await serveFiles()
  })

  afterAll(async () => {
    await browser.close()
    await files[Symbol.asyncDispose]()
  })

  it('prints what docs/browser.md says', async () => {
    const text = readFileSync(new URL('../../../docs/browser.md', import.meta.url), 'utf8')
    const programs = listBlocks('docs/browser.md', text).filter(({ language }) => language === 'typescript')
    expect(programs).toHaveLength(3)
    const page = await browser.newPage()
    await page.goto(files.url)
    for (const { code, printed } of programs) {
      const said: string[] = []
      page.on('console', message => said.push(message.text()))
      const module = code.replace(
        /'agentstategraph\/browser(.*?)'/,
        (_, path) => `'/lib/browser${path || '/index'}.js'`,
      )
      await page.evaluate(
        `import(URL.createObjectURL(new Blob([${JSON.stringify(module.replace("'/", `'${files.url}`))}], { type: 'text/javascript' }))).then(() => true)`,
      )
      page.removeAllListeners('console')
      expect(`${said.join('\n')}\n`).toBe(printed)
    }
    await page.close()
  })

  it('loads parts when work first needs them, once, and says so when one cannot be loaded', async () => {
    const page = await browser.newPage()
    const asked: string[] = []
    page.on('request', request => asked.push(new URL(request.url()).pathname.replace(/-[^/]*$/, '')))
    await page.goto(files.url)
    const atFirst = await page.evaluate<unknown>(`import('/lib/browser/index.js').then(async ({ open }) => {
      globalThis.repo = (await open()).as('agent/writer')
      await repo.commit('Begin', tx => tx.set('/a', { b: 1 }).set('/list', [1, 2]))
      await repo.set('/list', [1, 2, 3], { description: 'Add one', confidence: 0.5 })
      await repo.delete('/a/b', 'Not needed')
      await repo.branch('trial')
      return [await repo.get('/'), await repo.list('/')]
    })`)
    expect(atFirst).toMatchObject([{ a: {}, list: [1, 2, 3] }, [{ path: '/a' }, { path: '/list' }]])
    expect(asked.filter(path => /history|access|merge|query|schema|signing|outcomes/.test(path))).toEqual([])

    const blame = "repo.blame('/list/2').then(({ agent }) => agent, ({ code }) => code)"
    await page.route(/history-/, route => route.abort())
    expect(await page.evaluate(blame)).toBe('part-unavailable')
    await page.unroute(/history-/)
    expect(await page.evaluate(`Promise.all([${blame}, ${blame}])`)).toEqual(['agent/writer', 'agent/writer'])
    expect(asked.filter(path => path.endsWith('/history'))).toHaveLength(2)
    const merged = "repo.on('trial').set('/b', 2, 'Try').then(() => repo.merge('trial')).then(() => repo.get('/b'))"
    expect(await page.evaluate(merged)).toBe(2)
    await page.close()
  })
})
