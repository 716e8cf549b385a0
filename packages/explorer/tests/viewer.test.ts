/** The viewer, one file opened by its URL in a real browser, with the bundles that all verifiers are tested with. */
import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { open } from 'agentstategraph'
import { epochs } from 'agentstategraph/trust'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PATIENCE_MS, startBrowser } from './support/browser.ts'
import { hiddenIn, hostile, large } from './support/hostile.ts'

const viewer = new URL('../../server/verifiers/viewer.html', import.meta.url)
const folder = fileURLToPath(new URL('../../../fixtures/bundles/', import.meta.url))

interface Vector {
  readonly file: string
  readonly args: readonly string[]
  readonly check: string | null
}

let browser: Browser
let complaints: string[]

beforeAll(async () => {
  browser = await startBrowser()
})

afterAll(() => browser.close())

async function openViewer(): Promise<Page> {
  const page = await browser.newPage()
  page.setDefaultTimeout(PATIENCE_MS)
  complaints = []
  page.on('pageerror', error => complaints.push(error.message))
  page.on('console', message => message.type() === 'error' && complaints.push(message.text()))
  page.on(
    'request',
    request => !/^(file|data|blob):/.test(request.url()) && complaints.push(`asked for ${request.url()}`),
  )
  await page.goto(viewer.href)
  return page
}

function given(args: readonly string[], ...names: readonly string[]): string {
  const files = args.filter((_, at) => names.includes(args[at - 1] ?? ''))
  return files.map(file => readFileSync(folder + file, 'utf8')).join('\n')
}

/** Verifies a file, and gives the name of the first check that failed. */
async function verdictOn(page: Page, file: string, args: readonly string[] = []): Promise<string | null> {
  await page.getByLabel('Public keys that you trust').fill(given(args, '--key', '--witness'))
  await page.getByLabel('A signed head that you kept').fill(given(args, '--prior'))
  await page.getByLabel('Bundle').setInputFiles(folder + file)
  const report = page.locator(`.report[data-of="${file}"]`)
  await report.waitFor()
  return report.getAttribute('data-failed')
}

/** What is given to the page in one call. */
const TOGETHER = 100

interface Given {
  readonly name: string
  readonly base64: string
  readonly keys: string
  readonly prior: string
}

function bundleOf({ file, args }: Vector): Given {
  const base64 = readFileSync(folder + file).toString('base64')
  return { name: file, base64, keys: given(args, '--key', '--witness'), prior: given(args, '--prior') }
}

/** Runs in the page: gives it one file after the other, as a person does, and reads the first check that failed. */
async function verifyAll(bundles: readonly Given[]): Promise<readonly (string | null)[]> {
  const until = <T>(find: () => T | null): Promise<T> =>
    new Promise(resolve => {
      const look = (): void => {
        const found = find()
        if (found === null) return
        watch.disconnect()
        resolve(found)
      }
      const watch = new MutationObserver(look)
      watch.observe(document.body, { childList: true, subtree: true, attributes: true })
      look()
    })
  const results: (string | null)[] = []
  for (const { name, base64, keys, prior } of bundles) {
    const input = await until(() => document.querySelector<HTMLInputElement>('input[type=file]'))
    document.querySelector<HTMLTextAreaElement>('textarea[name=keys]')!.value = keys
    document.querySelector<HTMLTextAreaElement>('textarea[name=prior]')!.value = prior
    const dropped = new DataTransfer()
    dropped.items.add(new File([Uint8Array.from(atob(base64), unit => unit.charCodeAt(0))], name))
    input.files = dropped.files
    input.dispatchEvent(new Event('change'))
    const report = await until(() => document.querySelector<HTMLElement>(`.report[data-of="${name}"]`))
    results.push(report.getAttribute('data-failed'))
    const buttons = [...document.querySelectorAll('button')]
    buttons.find(button => button.textContent === 'Another file')!.click()
  }
  return results
}

describe('the viewer', () => {
  it('is one file of at most 200 KB that names its script and style by hash', () => {
    const html = readFileSync(viewer, 'utf8')
    expect(gzipSync(html).length).toBeLessThan(200_000)
    expect(html).toMatch(/default-src 'none'; script-src 'sha256-\S+'; style-src 'sha256-\S+';/)
    expect(html).not.toMatch(/ style="|\bimport\(|unsafe-/)
  })

  it('finds the same first fault in a bundle as every other verifier', async () => {
    const { vectors } = JSON.parse(readFileSync(`${folder}index.json`, 'utf8')) as { vectors: readonly Vector[] }
    const page = await openViewer()
    const wrong: string[] = []
    for (let at = 0; at < vectors.length; at += TOGETHER) {
      const some = vectors.slice(at, at + TOGETHER)
      const found = await page.evaluate(verifyAll, some.map(bundleOf))
      for (const [nth, { file, check }] of some.entries()) {
        if (found[nth] !== (check ?? 'none')) wrong.push(`${file}: ${found[nth]}, and not ${check}`)
      }
    }
    expect(wrong).toEqual([])
    expect(complaints).toEqual([])
    await page.close()
  })

  it('shows who wrote what and why, filtered as an auditor asks, and gives it as CSV', async () => {
    const page = await openViewer()
    expect(await verdictOn(page, 'good-authority.jsonl', ['--key', 'log.pub'])).toBe('none')
    await page.getByText('A key that you trust signed it.').waitFor()
    await page.getByRole('link', { name: 'Lower' }).click()
    await page.getByRole('heading', { name: 'Lower' }).waitFor()
    await page
      .getByRole('link', { name: /Who wrote \/limit/ })
      .first()
      .click()
    await page.getByText(/Now: agent\/a/).waitFor()
    await page.getByRole('slider', { name: 'Moment' }).press('Home')
    await page.getByRole('link', { name: 'Lower' }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Now' }).click()
    await page.getByText(/Now: agent\/a/).waitFor()
    await page.getByRole('link', { name: 'Unapproved' }).click()
    await page.getByRole('option').filter({ hasText: 'Lower' }).waitFor()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'CSV of this view' }).click(),
    ])
    const csv = readFileSync(await download.path(), 'utf8')
    expect(csv).toContain('id,time,agent,principal,category,description,reasoning,confidence,approved by')
    expect(csv).toContain(',agent/a,')
    expect(await page.evaluate('[localStorage.length, sessionStorage.length, document.cookie]')).toEqual([0, 0, ''])
    expect(complaints).toEqual([])
    await page.close()
  })

  it('filters by agent, path and confidence, and prints the report alone', async () => {
    const page = await openViewer()
    await verdictOn(page, 'good-authority.jsonl')
    await page.emulateMedia({ media: 'print' })
    expect(await page.locator('.report').getByRole('link', { name: 'Lower' }).isVisible()).toBe(true)
    expect(await page.locator('header, .quick, button').filter({ visible: true }).count()).toBe(0)
    await page.emulateMedia({ media: 'screen' })
    const rows = page.getByRole('option')
    const found = async (words: string, ...wanted: readonly string[]): Promise<void> => {
      await page.evaluate(hash => (location.hash = hash), `#/history/*?q=${encodeURIComponent(words)}`)
      for (const one of ['Lower', 'Raise', 'Name the lead']) {
        const state = wanted.includes(one) ? 'visible' : 'detached'
        await rows.filter({ hasText: one }).first().waitFor({ state })
      }
    }
    await found('agent:agent/a', 'Lower')
    await found('path:/limit', 'Lower', 'Raise')
    await found('confidence:>0.5', 'Raise')
    await page.getByRole('link', { name: 'Low confidence' }).click()
    await page.getByText('No commit matches.').waitFor()
    expect(complaints).toEqual([])
    await page.close()
  })

  it('shows hostile names and values of a bundle as text', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'asg-viewer-'))
    const file = join(folder, 'hostile.jsonl')
    const repo = await open()
    await epochs(repo).create('e-1', hostile)
    const why = {
      description: hostile,
      reasoning: large.slice(0, 9000),
      category: hostile,
      tags: [hostile],
      confidence: 0.4,
    }
    await repo.as(hostile).set('/', { [hostile]: { [hostile]: large, list: [hostile, null] } }, why)
    await repo.as(hostile).set([hostile, 'list'], [large, hostile], why)
    await epochs(repo).seal('e-1', hostile)
    const lines: string[] = []
    for await (const line of epochs(repo).export('e-1')) lines.push(line)
    writeFileSync(file, lines.join(''))
    await repo.close()

    const page = await openViewer()
    await page.getByLabel('Bundle').setInputFiles(file)
    await page.locator('.report[data-failed="none"] table').waitFor()
    const at = encodeURIComponent(hostile)
    const places = ['#/epochs', '#/history', `#/state/main/${at}`, `#/state/main/${at}?as=table`, '#/commit/main']
    for (const place of [...places, `#/blame/main/${at}/${at}`, '#/state/main?find=img']) {
      await page.evaluate(hash => (location.hash = hash), place)
      await page.getByText('<img').first().waitFor()
      await page.waitForFunction(() => document.querySelector('.waiting') === null, undefined, { polling: 50 })
      expect([place, await page.locator('img').count()]).toEqual([place, 0])
      expect([place, await hiddenIn(page)]).toEqual([place, []])
    }
    expect(complaints).toEqual([])
    await page.close()
    rmSync(folder, { recursive: true })
  })

  it('verifies a file that is too large to be held, and shows it to who asks for that', async () => {
    const page = await browser.newPage()
    // The file tells another size than it has.
    await page.addInitScript('Object.defineProperty(File.prototype, "size", { get: () => 200e6 })')
    await page.goto(viewer.href)
    expect(await verdictOn(page, 'good-authority.jsonl')).toBe('none')
    await page.getByText('needs about 800 MB of memory').waitFor()
    expect(await page.getByRole('link', { name: 'Lower' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Show it' }).click()
    await page.getByRole('link', { name: 'Lower' }).waitFor()
    await page.close()
  })

  it('shows how far it is, stops when it is asked to, and begins again', async () => {
    const page = await browser.newPage()
    page.setDefaultTimeout(PATIENCE_MS)
    // The second half of a file comes when the test lets it come.
    await page.addInitScript(`Blob.prototype.stream = function () {
      const half = this.size >> 1
      const parts = [this.slice(0, half), this.slice(half)]
      return new ReadableStream({
        async pull(controller) {
          const part = parts.shift()
          if (parts.length === 0 && !globalThis.isFree) await new Promise(go => { globalThis.goOn = go })
          controller.enqueue(new Uint8Array(await part.arrayBuffer()))
          if (parts.length === 0) controller.close()
        },
      })
    }`)
    await page.goto(viewer.href)
    await page.getByLabel('Bundle').setInputFiles(`${folder}good-authority.jsonl`)
    await page.waitForFunction(() => (document.querySelector('progress')?.value ?? 0) >= 0.4)
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.evaluate('isFree = true; goOn()')
    await page.getByText('Drop an exported bundle here').waitFor()
    expect(await page.locator('.report').count()).toBe(0)
    expect(await verdictOn(page, 'good-authority.jsonl')).toBe('none')
    await page.getByRole('link', { name: 'Lower' }).waitFor()
    await page.close()
  })

  it('refuses 200 MB of one line and goes on', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'asg-viewer-'))
    const file = join(folder, 'zeros.jsonl')
    writeFileSync(file, '')
    truncateSync(file, 200_000_000)
    const page = await openViewer()
    await page.getByLabel('Bundle').setInputFiles(file)
    await page.locator('.report[data-failed="line"]').waitFor()
    await page.getByRole('button', { name: 'Another file' }).click()
    expect(await verdictOn(page, 'good-authority.jsonl')).toBe('none')
    expect(complaints).toEqual([])
    await page.close()
    rmSync(folder, { recursive: true })
  })

  it('is not green where the browser cannot check signatures', async () => {
    const page = await browser.newPage()
    await page.addInitScript('Object.defineProperty(Crypto.prototype, "subtle", { value: undefined })')
    await page.goto(viewer.href)
    expect(await verdictOn(page, 'good-signed.jsonl', ['--key', 'log.pub'])).toBe('none')
    await page.getByText('Signature not checked: who made this file is not known.').waitFor()
    await page.close()
  })
})
