/** The declarations compile in a project that checks its libraries and has no more than ES2022. */
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { root } from '../architecture/support/source-file.ts'

const settings = {
  compilerOptions: {
    target: 'es2022',
    lib: ['es2022'],
    module: 'nodenext',
    strict: true,
    skipLibCheck: false,
    noEmit: true,
    types: [],
  },
  files: ['main.ts', 'platform.d.ts'],
}

/** What the types of Node, of browsers and of workers all declare. */
const platform = `interface AbortSignal { readonly aborted: boolean }
interface URL { readonly href: string }
`

const main = `import { open } from 'agentstategraph'
const repo = await open<{ n: number }>()
export const n: number = await repo.get('/n')
await repo[Symbol.asyncDispose]()
`

async function entries(): Promise<readonly string[]> {
  const manifest = JSON.parse(await readFile(join(root, 'packages/agentstategraph/package.json'), 'utf8'))
  return Object.keys(manifest.exports).filter(path => path !== './package.json')
}

function compiled(folder: string): Promise<string> {
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  return new Promise(resolve =>
    execFile(process.execPath, [tsc, '-p', folder, '--pretty', 'false'], (_, said) => resolve(said)),
  )
}

it('every entry point compiles', async () => {
  await mkdir(join(root, 'dist'), { recursive: true })
  const folder = await mkdtemp(join(root, 'dist', 'consumer-'))
  try {
    const imports = (await entries()).map((path, k) => `export * as e${k} from 'agentstategraph${path.slice(1)}'\n`)
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(settings))
    await writeFile(join(folder, 'platform.d.ts'), platform)
    await writeFile(join(folder, 'main.ts'), imports.join('') + main)
    expect(await compiled(folder)).toBe('')
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
