/** Checks the Go client: format, vet (also for Windows and macOS), tests with the race detector, the page; and builds its player. */
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { rpcFolder } from '../build/rpc-bundle.mjs'
import { root } from '../tools.mjs'
import { checkPage } from './pages.mjs'

const folder = join(root, 'clients/go')

function go(args, env = {}) {
  execFileSync('go', args, { cwd: folder, env: { ...process.env, ...env }, stdio: 'inherit' })
}

for (const name of ['asg-rpc.mjs', 'THIRD-PARTY.txt']) copyFileSync(join(rpcFolder, name), join(folder, 'bundle', name))
const unformatted = execFileSync('gofmt', ['-l', '.'], { cwd: folder, encoding: 'utf8' })
if (unformatted !== '') throw new Error(`gofmt -w formats these files: ${unformatted}`)
go(['vet', './...'])
for (const GOOS of ['windows', 'darwin']) go(['vet', '.'], { GOOS, CGO_ENABLED: '0' })
mkdirSync(join(folder, 'build'), { recursive: true })
go(['build', '-o', 'build/player', './internal/player'])
// The long form takes minutes on a free machine, and more on one with other work; Go ends a test after ten.
const patience = process.env['ASG_SOAK'] === '1' ? ['-timeout=3h'] : []
go(['test', '-race', '-count=1', ...patience, '.'])
checkPage('docs/go.md', 'go', code => {
  // In the module itself, so that the page uses the package as it is here.
  const page = mkdtempSync(join(folder, 'build', 'page-'))
  try {
    writeFileSync(join(page, 'main.go'), code)
    return execFileSync('go', ['run', '.'], { cwd: page, encoding: 'utf8' })
  } finally {
    rmSync(page, { recursive: true, force: true })
  }
})
