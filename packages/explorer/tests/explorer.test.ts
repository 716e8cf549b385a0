/** The Explorer in a real browser, on a real server and a real store: what a person does, and what the store says after. */
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { gzipSync } from 'node:zlib'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPage, type Scene, startBrowser, startScene } from './support/browser.ts'
import { tellIncident } from './support/story/incident.mjs'

let browser: Browser
let scene: Scene

beforeAll(async () => {
  browser = await startBrowser()
  scene = await startScene(tellIncident)
})

afterAll(async () => {
  await browser.close()
  await scene[Symbol.asyncDispose]()
})

const rowsOf = (page: Page) => page.getByRole('listbox', { name: 'Commits, newest first' }).getByRole('option')
const rowOf = (page: Page, words: string) => rowsOf(page).filter({ hasText: words })

describe('the Explorer', () => {
  it('asks for a key, keeps it out of the URL, and says when it is wrong', async () => {
    const page = await browser.newPage()
    await page.goto(scene.server.url)
    await page.getByLabel('Key', { exact: true }).fill('not the key')
    await page.getByRole('button', { name: 'Use it in this tab' }).click()
    await page.getByText('The server does not accept that key').waitFor()
    await page.getByLabel('Key', { exact: true }).fill(scene.token)
    await page.getByRole('button', { name: 'Use it in this tab' }).click()
    await rowOf(page, 'Drain node 3').waitFor()
    expect(page.url()).not.toContain('key')
    await page.close()
  })

  it('shows the history live, newest first, and filters it by words', async () => {
    const { page, complaints } = await openPage(browser, scene)
    await rowOf(page, 'Drain node 3').waitFor()
    await scene.repo.as('agent/monitor').set('/cluster/node-1/cpu', 95, 'Node 1 is busy')
    await rowOf(page, 'Node 1 is busy').waitFor()
    expect(await rowsOf(page).first().textContent()).toContain('Node 1 is busy')
    await page.getByLabel('Filter the commits').fill('confidence:<0.5')
    await page.getByRole('button', { name: 'Filter' }).click()
    await rowOf(page, 'Node 1 is busy').waitFor({ state: 'detached' })
    await rowOf(page, 'Drain node 3').waitFor()
    expect(await rowsOf(page).count()).toBe(1)
    await page.getByLabel('Filter the commits').fill('agnet:x')
    await page.getByRole('button', { name: 'Filter' }).click()
    await page.getByText('"agnet:" is no filter').waitFor()
    expect(complaints).toEqual([])
    await page.close()
  })

  it('draws branches in lanes, and names who, how sure, what kind, and the branches and tags at a commit', async () => {
    const side = await scene.repo.branch('side')
    await side
      .as('agent/storage')
      .set('/disk', 'new', { description: 'Order a disk', category: 'Explore', confidence: 0.6 })
    await scene.repo.as('agent/monitor').set('/cluster/node-2/cpu', 21, 'Node 2 is well')
    await scene.repo.merge('side', { description: 'Take the disk in' })
    await scene.repo.tag('disk-day')
    const { page, complaints } = await openPage(browser, scene)
    const labels = (words: string) => rowOf(page, words).locator('.label').allTextContents()
    await page.locator('.label.tag').waitFor()
    expect(await labels('Take the disk in')).toEqual(['main', 'disk-day'])
    expect(await labels('Order a disk')).toEqual(['side'])
    expect(await rowOf(page, 'Order a disk').textContent()).toMatch(/Explore.*60% sure.*agent\/storage/)
    const lanes = (words: string) => rowOf(page, words).locator('.lanes path').count()
    // One line comes from above and one goes down; a merge begins a second, which passes the commit between.
    expect([await lanes('Take the disk in'), await lanes('Node 2 is well')]).toEqual([2, 3])
    const colour = (words: string) =>
      rowOf(page, words)
        .locator('circle')
        .evaluate(dot => getComputedStyle(dot).fill)
    expect(await colour('Order a disk')).not.toBe(await colour('Node 2 is well'))
    expect(complaints).toEqual([])
    await page.close()
  })

  it('is used with the keyboard, and every place has a URL', async () => {
    const { page, complaints } = await openPage(browser, scene)
    await rowOf(page, 'Drain node 3').waitFor()
    await page.getByRole('listbox', { name: 'Commits, newest first' }).focus()
    for (const key of ['G', 'k', 'Enter']) await page.keyboard.press(key)
    await page.getByRole('heading', { name: 'Node 3 stopped answering' }).waitFor()
    const { page: other } = await openPage(browser, scene, new URL(page.url()).hash)
    await other.getByRole('heading', { name: 'Node 3 stopped answering' }).waitFor()
    expect(complaints).toEqual([])
    await Promise.all([page.close(), other.close()])
  })

  it('shows what a commit changed and why, what else was considered and what was expected', async () => {
    const { page, complaints } = await openPage(browser, scene)
    await rowOf(page, 'Drain node 3').click()
    const detail = page.getByRole('complementary', { name: 'The chosen commit' })
    for (const words of [
      'Its disk is failing',
      'restart the node',
      'The disk would fail again',
      'drained',
      '"not-ready"',
    ]) {
      await detail.getByText(words).first().waitFor()
    }
    expect(complaints).toEqual([])
    await page.close()
  })

  it('tells the story of a value one click from where it is seen', async () => {
    const { page, complaints } = await openPage(browser, scene, '#/state/main/cluster/node-3')
    await page.getByText('"draining"').waitFor()
    await page.getByRole('link', { name: 'Who wrote /cluster/node-3/status, and why' }).click()
    const writes = page.getByRole('listitem').filter({ hasText: /^(Now|Before this)/ })
    await writes.nth(2).waitFor()
    expect(await writes.count()).toBe(3)
    await page.getByText('not observed yet').waitFor()
    expect(await writes.first().textContent()).toMatch(
      /agent\/repair.*45% sure.*draining.*Drain node 3.*because Its disk is failing.*instead of restart the node: The disk would fail again.*on the authority of operator → mira → agent\/repair/s,
    )
    expect(await writes.nth(1).textContent()).toMatch(
      /agent\/monitor.*97% sure.*stood for.*not-ready.*because Three health checks failed/s,
    )
    expect(complaints).toEqual([])
    await page.close()
  })

  it('shows a state as a tree, as a table, as it was, and finds words in it', async () => {
    const [, before] = await scene.repo.log({ limit: 3, order: 'oldest' })
    const { page, complaints } = await openPage(browser, scene, '#/state/main')
    await page.getByRole('button', { name: 'cluster' }).click()
    await page.getByRole('button', { name: 'node-2' }).click()
    await page.getByText('"ready"').waitFor()
    await page.goto(`${scene.server.url}/#/state/${before!.id}/cluster?as=table`)
    await page.getByRole('row', { name: /node-3.*"not-ready"/ }).waitFor()
    await page.getByLabel('Search keys and values').fill('not-ready')
    await page.getByRole('button', { name: 'Show' }).click()
    await page.getByRole('listitem').filter({ hasText: 'status "not-ready"' }).waitFor()
    expect(complaints).toEqual([])
    await page.close()
  })

  it('follows the branch in its state, its table and its blame', async () => {
    const { page, complaints } = await openPage(browser, scene, '#/state/main/fan')
    await scene.repo.set('/fan', { speed: 1 }, 'Add a fan')
    await page.goto(`${scene.server.url}/#/state/main/fan?as=`)
    await page.getByRole('listitem').filter({ hasText: 'speed 1' }).waitFor()
    await scene.repo.set('/fan/speed', 2, 'Turn it up')
    await page.getByRole('listitem').filter({ hasText: 'speed 2' }).waitFor()
    await page.goto(`${scene.server.url}/#/state/main/fan?as=table`)
    await page.getByRole('row', { name: /speed 2/ }).waitFor()
    await scene.repo.set('/fan/speed', 3, 'Turn it up again')
    await page.getByRole('row', { name: /speed 3/ }).waitFor()
    await page.goto(`${scene.server.url}/#/blame/main/fan/speed`)
    await page.getByText('Turn it up again').first().waitFor()
    await scene.repo.set('/fan/speed', 4, 'And once more')
    await page.getByText('And once more').first().waitFor()
    expect(complaints).toEqual([])
    await page.close()
  })

  it('keeps the moment of a state in what leads from it', async () => {
    const [newest, before] = await scene.repo.history('/cluster/node-3/status')
    const at = new Date((Date.parse(newest!.timestamp) + Date.parse(before!.timestamp)) / 2).toISOString()
    const { page, complaints } = await openPage(browser, scene, `#/state/main/cluster?as=table&as_of=${at}`)
    await page
      .getByRole('row', { name: /node-3/ })
      .getByRole('link', { name: '"not-ready"' })
      .click()
    await page.getByText('Three health checks failed').waitFor()
    expect(await page.getByText('Drain node 3').count()).toBe(0)
    await page.getByRole('link', { name: 'node-3' }).click()
    await page.getByText('"not-ready"').waitFor()
    expect(page.url()).toContain('as_of=')
    expect(complaints).toEqual([])
    await page.close()
  })

  it('shows what kind a value is, and copies it as JSON', async () => {
    const values = {
      big: 90071992547409931n,
      when: new Date('2026-04-01T10:00:00.123Z'),
      raw: Uint8Array.from([1, 2, 3]),
    }
    await scene.repo.set('/kinds', values, 'Add values of other kinds')
    const { page, complaints } = await openPage(browser, scene, '#/state/main/kinds')
    const entry = (name: string) => page.getByRole('listitem').filter({ hasText: name })
    await entry('big').getByText('big number').waitFor()
    expect(await entry('big').textContent()).toContain('90071992547409931')
    expect(await entry('when').locator('time').getAttribute('title')).toBe('2026-04-01 10:00:00.123 UTC')
    await entry('when').getByText('date').waitFor()
    await entry('raw').getByText('3 bytes').first().waitFor()
    await page.getByRole('button', { name: 'As JSON' }).click()
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByRole('button', { name: 'Copy JSON' }).click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    expect(JSON.parse(await page.evaluate('navigator.clipboard.readText()'))).toMatchObject({
      big: { $bigint: '90071992547409931' },
    })
    expect(complaints).toEqual([])
    await page.close()
  })

  it('shows what was expected beside what was observed, calls of tools, the trace, and the change inside a text', async () => {
    const lines = Array.from({ length: 40 }, (_, n) => `line ${n}`)
    const monitor = scene.repo.as('agent/monitor')
    await monitor.set('/report', lines.join('\n'), 'Write a report')
    const { id } = await monitor.set('/report', lines.with(20, 'line twenty').join('\n'), {
      description: 'Correct the report',
      tools: [{ name: 'spell', args: { text: 'line 20' }, result: 'line twenty' }],
      expects: [{ path: '/readers', min: 3 }],
    })
    await scene.repo
      .as('agent/judge')
      .observe(id, { held: false, observed: [{ path: '/readers', value: 1 }], confidence: 0.9 })
    const traced = await scene.repo
      .as('agent/monitor')
      .set('/traced', true, { description: 'Trace it', trace: 'run-7' })
    const { page, complaints } = await openPage(browser, scene, `#/commit/${id}`)
    await page.getByText('/readers at least 3; observed: 1').waitFor()
    await page.getByText(/Not as expected, says agent\/judge .*90% sure/).waitFor()
    await page.getByText('spell').click()
    await page.getByText('line 20', { exact: true }).or(page.getByText('"text": "line 20"')).first().waitFor()
    const text = await page.locator('.text-change').textContent()
    expect(text).toMatch(/^… 17 lines are the same …\nline 17\n.*line 20\nline twenty\n.*… 16 lines are the same …\n$/s)
    await page.goto(`${scene.server.url}/#/commit/${traced.id}`)
    await page.getByText('Where the traces are').click()
    await page.getByLabel('Address of a trace').fill('https://traces.example.org/{trace}')
    await page.getByRole('button', { name: 'Keep it in this browser' }).click()
    expect(await page.getByRole('link', { name: 'run-7' }).getAttribute('href')).toBe(
      'https://traces.example.org/run-7',
    )
    expect(complaints).toEqual([])
    await page.close()
  })

  it('shows an image as one, and a long table and a long tree page after page', async () => {
    const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
    const many = Object.fromEntries(Array.from({ length: 170 }, (_, n) => [`k${100 + n}`, { n }]))
    await scene.repo.commit({ description: 'Add pictures' }, tx =>
      tx.set('/pictures', { dot: Uint8Array.from(Buffer.from(dot, 'base64')) }).set('/many', many),
    )
    const { page, complaints } = await openPage(browser, scene, '#/state/main/pictures/dot')
    const image = page.getByRole('img', { name: '70 bytes' })
    await image.waitFor()
    expect(await image.evaluate(element => (element as HTMLImageElement).naturalWidth)).toBe(1)
    await page.goto(`${scene.server.url}/#/state/main/many?as=table`)
    await page.getByRole('row', { name: /k149/ }).waitFor()
    expect(await page.getByRole('row', { name: /k150/ }).count()).toBe(0)
    await page.getByRole('button', { name: 'Show more' }).click()
    await page.getByRole('row', { name: /k199/ }).waitFor()
    await page.goto(`${scene.server.url}/#/state/main/many`)
    await page.getByRole('button', { name: 'k199' }).waitFor()
    expect(await page.getByRole('button', { name: 'k200' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Show 100 more' }).click()
    await page.getByRole('button', { name: 'k269' }).waitFor()
    expect(complaints).toEqual([])
    await page.close()
  })

  it('shows hostile keys and values as text', async () => {
    const hostile = '<img src=x onerror=alert(1)>'
    await scene.repo
      .as(hostile)
      .commit({ description: hostile, reasoning: `\u202e${hostile}\u0000` }, tx =>
        tx.set([hostile], { 'java\u0007script:': `${hostile}${'x'.repeat(1_000_000)}` }),
      )
    const { page, complaints } = await openPage(browser, scene)
    await rowOf(page, hostile).click()
    await page.getByRole('heading', { name: hostile }).waitFor()
    await page.getByText('\\u202e').first().waitFor()
    await page.goto(`${scene.server.url}/#/state/main`)
    await page.getByRole('button', { name: hostile }).click()
    await page.getByText('java\\u0007script:').first().waitFor()
    expect(await page.locator('img').count()).toBe(0)
    expect(complaints).toEqual([])
    await page.close()
  })

  it('has no serious fault for people who use a screen reader or a keyboard', async () => {
    const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
    const { page } = await openPage(browser, scene)
    await rowOf(page, 'Drain node 3').click()
    const address = scene.server.url
    for (const [hash, words] of [
      [new URL(page.url()).hash, 'Its disk is failing'],
      ['#/state/main/cluster/node-3', '"draining"'],
      ['#/state/main/cluster?as=table', '"draining"'],
      ['#/blame/main/cluster/node-3/status', 'Drain node 3'],
      ['playground', 'No commit yet'],
    ]) {
      await page.goto(`${address}/${hash}`)
      await page.getByText(words!).first().waitFor()
      const found = await page.evaluate(`${axe}; axe.run().then(({ violations }) => violations)`)
      const serious = (found as { id: string; impact: string; nodes: { html: string }[] }[])
        .filter(({ impact }) => impact === 'serious' || impact === 'critical')
        .map(({ id, nodes }) => `${hash} ${id}: ${nodes.map(({ html }) => html).join(' ')}`)
      expect(serious).toEqual([])
    }
    await page.close()
  })

  it('leads to a playground that needs no key: the tour, with the library in the page', async () => {
    const page = await browser.newPage()
    const complaints: string[] = []
    page.on('pageerror', error => complaints.push(error.message))
    page.on('console', message => message.type() === 'error' && complaints.push(message.text()))
    const asked: string[] = []
    await page.goto(scene.server.url)
    await page.getByRole('link', { name: 'Playground' }).click()
    const titles = ['Set a value', 'Try it on a branch', 'Speculate, compare', 'Ask who wrote', 'Take the last']
    const [set, branch, speculate, blame, undo] = titles.map(title => {
      const step = page.getByRole('region', { name: title })
      return async (): Promise<unknown> => {
        await step.getByRole('button', { name: 'Run' }).click()
        return JSON.parse((await step.getByRole('status').textContent())!)
      }
    })
    await page.getByText('No commit yet').waitFor()
    page.on('request', request => asked.push(request.url()))
    expect(await set!()).toMatchObject({ state: { cluster: { replicas: 3 } } })
    expect(await branch!()).toMatchObject([{ path: '/cluster/network', after: 'flannel' }])
    expect(await speculate!()).toMatchObject({ compared: [{ path: '/storage/type', values: ['nfs', 'ceph'] }] })
    expect(await blame!()).toEqual({
      value: 'nfs',
      agent: 'agent/storage',
      intent: 'Use NFS',
      reasoning: 'Only 2 nodes, Ceph needs 3',
      confidence: 0.9,
      considered: ['ceph'],
    })
    expect(await undo!()).toMatchObject({ undone: 'Use NFS', changes: [{ path: '/storage' }] })
    const history = page.getByRole('region', { name: 'History' }).getByRole('listitem')
    await history.nth(3).waitFor()
    expect(await history.last().textContent()).toMatch(/Scale to 3 replicas.*agent\/scaler.*85% sure.*Traffic is up/s)
    // What is given can be edited; what the library refuses is said.
    const first = page.getByRole('region', { name: 'Set a value' })
    await first.getByLabel('Given').fill('{"agent": "agent/a", "path": "replicas", "value": 1, "why": "Try"}')
    await first.getByRole('button', { name: 'Run' }).click()
    await first.getByRole('alert').waitFor()
    expect(asked.filter(url => !url.startsWith(`${scene.server.url}/explorer/playground-`))).toEqual([])
    expect(complaints.filter(text => !/401/.test(text))).toEqual([])
    await page.close()
  })

  it('sends at most 45 KB of code for the history, and 130 KB in all', async () => {
    const folder = new URL('../../server/explorer/', import.meta.url)
    const scripts = readdirSync(folder).filter(name => name.endsWith('.js') && !name.startsWith('playground'))
    const sizeOf = (names: readonly string[]): number =>
      names.reduce((sum, name) => sum + gzipSync(readFileSync(new URL(name, folder))).length, 0)
    const context = await browser.newContext()
    const atOnce: string[] = []
    context.on('request', request => {
      const [, script] = /\/explorer\/([^/]+\.js)$/.exec(request.url()) ?? []
      if (script !== undefined) atOnce.push(script)
    })
    const { page } = await openPage(context, scene)
    await rowOf(page, 'Drain node 3').waitFor()
    expect(atOnce).toContain('main.js')
    expect(sizeOf(atOnce)).toBeLessThan(45_000)
    expect(sizeOf(scripts)).toBeLessThan(130_000)
    await context.close()
  })
})
