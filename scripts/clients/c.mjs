/**
 * Checks the C client: both builds, its tests under sanitizers and valgrind, use from Python and Go, an installation, and the page.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from '../tools.mjs'
import { checkPage } from './pages.mjs'

const folder = join(root, 'clients/c')
const scratch = mkdtempSync(join(tmpdir(), 'asg-c-'))

function run(command, args, { env = {}, stdio = 'inherit', cwd = folder } = {}) {
  return execFileSync(command, args, { cwd, env: { ...process.env, ...env }, stdio, encoding: 'utf8' })
}

/** The tests that valgrind runs: those without many processes. */
const UNDER_VALGRIND = ['noise', 'calls', 'keys', 'watch', 'memory']

try {
  run('make', ['-s', '-j2', 'all', 'build/player', 'build/tests', 'build/tests-sanitized'])
  run('build/tests-sanitized', [], { stdio: 'pipe' })
  const valgrind = ['-q', '--error-exitcode=1', '--leak-check=full', '--errors-for-leak-kinds=definite,indirect']
  run('valgrind', [...valgrind, 'build/tests', ...UNDER_VALGRIND], { stdio: 'pipe' })
  run('python3', ['tests/smoke.py', 'build/libasg.so'])
  run('go', ['run', '.'], { cwd: join(folder, 'tests/cgo') })
  const [build, prefix] = [join(scratch, 'build'), join(scratch, 'installed')]
  run('cmake', ['-S', '.', '-B', build, `-DCMAKE_INSTALL_PREFIX=${prefix}`, '-DCMAKE_INSTALL_LIBDIR=lib'], {
    stdio: 'pipe',
  })
  run('cmake', ['--build', build, '--target', 'install', '-j2'], { stdio: 'pipe' })
  checkPage('docs/c.md', 'c', code => {
    const program = join(scratch, 'page')
    writeFileSync(`${program}.c`, code)
    const linked = [`-I${prefix}/include`, `${program}.c`, `-L${prefix}/lib`, `-Wl,-rpath,${prefix}/lib`, '-lasg']
    run('cc', ['-std=c11', '-Wall', '-Werror', ...linked, '-o', program])
    // Without ASG_BUNDLE the library finds the core that was installed with it.
    return run(program, [], { cwd: scratch, stdio: 'pipe', env: { ASG_BUNDLE: '' } })
  })
} finally {
  rmSync(scratch, { recursive: true, force: true })
}
