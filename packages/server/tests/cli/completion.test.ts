/** Completion of names from the store, and the manual pages. */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { type CliFolder, cliFolder, cliStore } from './support/cli-folder.ts'
import { program } from './support/cli-process.ts'

const scratch: CliFolder[] = []
afterEach(() => {
  for (const { remove } of scratch.splice(0)) remove()
})

async function filled(): Promise<CliFolder> {
  const made = await cliStore()
  scratch.push(made)
  await made.asg(['set', '/cluster/replicas', '3', '-m', 'Begin'])
  await made.asg(['set', '/name', 'prod', '-m', 'Name it'])
  await made.asg(['branch', 'create', 'feature/net'])
  await made.asg(['tag', 'create', 'v1'])
  await made.asg(['spec', 'new', '--label', 'nfs'])
  return made
}

it('offers branches, tags, paths and speculations where they are wanted', async () => {
  const { asg } = await filled()
  const offered = async (...words: string[]): Promise<string> =>
    (await asg(['__complete', ...words])).out.trim().replaceAll('\n', ' ')
  expect(await offered('log', '')).toBe('feature/net main v1')
  expect(await offered('switch', 'fea')).toBe('feature/net')
  expect(await offered('get', '/')).toBe('/cluster/ /name')
  expect(await offered('get', '/cluster/')).toBe('/cluster/replicas')
  expect(await offered('get', '/name', '--ref', 'f')).toBe('feature/net')
  expect(await offered('set', '-m', 'Why', '/cl')).toBe('/cluster/')
  expect(await offered('branch', 'delete', '')).toBe('feature/net main')
  expect(await offered('spec', 'get', 'n')).toBe('nfs')
  expect(await offered('set', '/name', 'x', '-m', '')).toBe('')
})

it('is silent where there is no store', async () => {
  const made = cliFolder()
  scratch.push(made)
  expect(await made.asg(['__complete', 'log', ''])).toMatchObject({ code: 0, out: '', err: '' })
  expect((await made.asg(['--help'])).out).not.toContain('__complete')
})

it('completes a branch in a real bash', async () => {
  const { folder, asg } = await filled()
  writeFileSync(join(folder, 'asg.bash'), (await asg(['completion', 'bash'])).out)
  const line = `asg() { "${process.execPath}" "${program}" "$@"; }; source ./asg.bash
    COMP_WORDS=(asg log fea); COMP_CWORD=2; _asg; echo "\${COMPREPLY[@]}"`
  expect(execFileSync('bash', ['-c', line], { cwd: folder, encoding: 'utf8' }).trim()).toBe('feature/net')
})

/** A program `asg` for shells that look for it on the path. */
function onPath(folder: string): NodeJS.ProcessEnv {
  mkdirSync(join(folder, 'bin'))
  writeFileSync(join(folder, 'bin', 'asg'), `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`, {
    mode: 0o755,
  })
  return { ...process.env, PATH: `${join(folder, 'bin')}:${process.env['PATH']}`, HOME: folder }
}

/** A shell that a machine of a developer may lack, and CI must not. */
function needs(shell: string): boolean {
  const found = spawnSync(shell, ['--version']).status === 0
  if (!found && process.env['CI']) throw new Error(`install ${shell}: CI has to run these tests`)
  return found
}

it.runIf(needs('fish'))('completes a branch and a command in a real fish', async () => {
  const { folder, asg } = await filled()
  writeFileSync(join(folder, 'asg.fish'), (await asg(['completion', 'fish'])).out)
  const line = 'source asg.fish; complete -C "asg log fea"; complete -C "asg bran"'
  const told = execFileSync('fish', ['--no-config', '-c', line], { cwd: folder, env: onPath(folder), encoding: 'utf8' })
  expect(told.trim().split('\n')).toEqual(['feature/net', expect.stringMatching(/^branch\t/)])
})

it.runIf(needs('zsh'))('completes a branch and a command in a real zsh', async () => {
  const { folder, asg } = await filled()
  writeFileSync(join(folder, 'asg.zsh'), (await asg(['completion', 'zsh'])).out)
  // What a widget of zsh would show: its own functions need a terminal.
  const line = `compdef() { }; compadd() { shift 3; print -l -- "$@" }; _describe() { print -l -- "\${(@P)2}" }
    source ./asg.zsh
    words=(asg log fea) CURRENT=3; _asg
    words=(asg spec '') CURRENT=3; _asg`
  const told = execFileSync('zsh', ['-f', '-c', line], { cwd: folder, env: onPath(folder), encoding: 'utf8' })
  expect(told.trim().split('\n')).toEqual(expect.arrayContaining(['feature/net', 'list:List open speculations']))
})

it('writes a manual page for each command', async () => {
  const made = cliFolder()
  scratch.push(made)
  expect(await made.asg(['man', 'pages'])).toMatchObject({ code: 0, err: expect.stringContaining('asg.1') })
  const pages = readdirSync(join(made.folder, 'pages'))
  expect(pages).toEqual(expect.arrayContaining(['asg.1', 'asg-log.1', 'asg-spec.1', 'asg-serve.1']))
  const page = readFileSync(join(made.folder, 'pages', 'asg-spec.1'), 'utf8')
  expect(page).toMatch(/^\.TH "ASG-SPEC" "1"/)
  expect(page).toContain('.SS "asg spec compare <speculations...>"')
  expect(page.split('\n').filter(each => /^\.(?!TH|SH|SS|TP|B|I|BR)/.test(each))).toEqual([])
})
