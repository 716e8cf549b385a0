/** What docs/scale.md says of backups and failover, done: a moment is restored, and a replica that lost the tail takes over. */
import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import pg from 'pg'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { listBlocks } from '../../../../../scripts/pages/page-blocks.mjs'
import { type PostgresPool, postgres } from '../../../src/backends/postgres/index.ts'
import { verify } from '../../../src/maintenance/index.ts'
import { open, type Repository } from '../../../src/repository/index.ts'
import { root } from '../../architecture/support/source-file.ts'
import {
  account,
  findPrograms,
  hasPostgres,
  type PostgresServer,
  startPostgres,
} from '../../processes/postgres-server.ts'

const page = 'docs/scale.md'
const blocks = listBlocks(page, readFileSync(root + page, 'utf8'))
const codeOf = (language: string, part: string): string =>
  blocks.find(({ language: found, code }) => found === language && code.includes(part))!.code

/** The settings of an `ini` block, with other values for what a page can only name. */
function settingsOf(part: string, values: Readonly<Record<string, string>>): Record<string, string> {
  let text = codeOf('ini', part)
  for (const [named, value] of Object.entries(values)) text = text.replaceAll(named, value)
  return Object.fromEntries(
    [...text.matchAll(/^(\w+) = '?(.*?)'?$/gm)].map(([, name, value]) => [name!, value!] as const),
  )
}

describe.skipIf(!hasPostgres())('recovery (skipped without an installed postgresql)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'asg-recovery-'))
  const owner = account()

  function owned(path: string): string {
    if (owner !== undefined) chownSync(path, owner.uid, owner.gid)
    return path
  }

  function folderIn(name: string): string {
    mkdirSync(join(folder, name))
    return owned(join(folder, name))
  }

  async function start(where: string, settings: Readonly<Record<string, string>> = {}): Promise<PostgresServer> {
    const server = await startPostgres(where, settings)
    onTestFinished(() => server.kill())
    return server
  }

  function poolTo(server: PostgresServer): pg.Pool {
    const pool = new pg.Pool({ connectionString: server.address() })
    pool.on('error', () => {})
    onTestFinished(() => pool.end())
    return pool
  }

  /** A base backup, made as the page says. */
  function backedUp(server: PostgresServer, name: string): string {
    const base = join(folder, name)
    const backup = codeOf('bash', 'pg_basebackup')
      .replace('postgres://localhost:5432/app', `'${server.address()}'`)
      .replace('/backups/monday', base)
    const made = spawnSync('sh', ['-c', `PATH=${findPrograms()}:$PATH ${backup}`], { ...owner, cwd: folder })
    expect(`${made.stderr}`).toBe('')
    return base
  }

  /** A copy of a base backup that a server can start on. */
  function copied(base: string, name: string, signal: string): string {
    const where = folderIn(name)
    const data = join(where, 'data')
    cpSync(base, data, { recursive: true })
    writeFileSync(join(data, signal), '')
    if (owner !== undefined) spawnSync('chown', ['-R', `${owner.uid}:${owner.gid}`, data])
    chmodSync(data, 0o700)
    return where
  }

  async function until(pool: pg.Pool, text: string): Promise<void> {
    while (!(await pool.query({ text, rowMode: 'array' })).rows[0]![0]) await new Promise(setImmediate)
  }

  beforeAll(() => {
    chmodSync(dirname(folder), 0o711)
    owned(folder)
  })

  const append = (repo: Repository, label: string): Promise<unknown> => repo.set('/list/-', label, `Append ${label}`)

  it('a restored moment and a replica that lost the tail are whole, and who had read more is told', async () => {
    const archive = folderIn('archive')
    const primary = await start(folderIn('primary'), settingsOf('archive_mode', { '/archive': archive }))
    const pool = poolTo(primary)
    let current: pg.Pool = pool
    const following: PostgresPool = { connect: () => current.connect() }
    const openHere = (through: PostgresPool, readOnly = false): Promise<Repository> =>
      open(postgres(through, { readOnly }), { readOnly })
    await using repo = await openHere(following)
    await append(repo, 'before')

    const base = backedUp(primary, 'base')
    // A replica, which refuses writers and serves readers.
    const settings = { primary_conninfo: `host=${primary.folder} user=postgres` }
    const where = copied(base, 'replica', 'standby.signal')
    const replica = await start(where, settings)
    await append(repo, 'kept')
    const { rows } = await pool.query('SELECT clock_timestamp()::text AS moment, pg_current_wal_lsn()::text AS place')
    const { moment, place } = rows[0]
    await until(poolTo(replica), `SELECT pg_last_wal_replay_lsn() >= '${place}'::pg_lsn`)
    await expect(openHere(poolTo(replica))).rejects.toMatchObject({
      code: 'postgres-refused',
      message: expect.stringMatching(/replica/),
    })
    const reader = await openHere(poolTo(replica), true)
    expect(await reader.get('/list')).toEqual(['before', 'kept'])
    await reader.close()
    await replica.kill()
    await append(repo, 'tail')
    await pool.query('SELECT pg_switch_wal()')
    await until(
      pool,
      'SELECT archived_count > 0 AND last_archived_wal >= pg_walfile_name(pg_current_wal_lsn() - 1) FROM pg_stat_archiver',
    )
    await primary.kill()

    const restored = poolTo(
      await start(
        copied(base, 'restored', 'recovery.signal'),
        settingsOf('recovery_target_time', { '/archive': archive, '2026-11-18 12:00:00+00': moment }),
      ),
    )
    await until(restored, 'SELECT NOT pg_is_in_recovery()')
    const promoted = poolTo(await start(where, settings))
    await until(promoted, 'SELECT pg_promote()')
    for (const now of [restored, promoted]) {
      current = now
      await expect(append(repo, 'more')).rejects.toMatchObject({ code: 'journal-replaced' })
      const again = await openHere(following)
      expect(await again.get('/list')).toEqual(['before', 'kept'])
      await append(again, 'after')
      expect(await again.get('/list')).toEqual(['before', 'kept', 'after'])
      expect((await verify(again)).damage).toEqual([])
      await again.close()
    }
  })

  it('a commit waits for a synchronous replica, which then takes over with everything that was acknowledged', async () => {
    const primary = await start(folderIn('leading'))
    const pool = poolTo(primary)
    let current = pool
    await using repo = await open(postgres({ connect: () => current.connect() }))
    await append(repo, 'before')
    const settings = { primary_conninfo: `host=${primary.folder} user=postgres` }
    const where = copied(backedUp(primary, 'leading-base'), 'following', 'standby.signal')
    const [[name, value]] = Object.entries(settingsOf('synchronous_standby_names', {})) as [[string, string]]
    await pool.query(`ALTER SYSTEM SET ${name} = '${value}'`)
    await pool.query('SELECT pg_reload_conf()')
    await until(pool, `SELECT current_setting('${name}') <> ''`)
    // The process that makes a checkpoint is the one that lets commits wait from now on.
    await pool.query('CHECKPOINT')
    const appending = append(repo, 'sure')
    await until(pool, "SELECT count(*) = 1 FROM pg_stat_activity WHERE wait_event = 'SyncRep'")
    const replica = poolTo(await start(where, settings))
    await appending
    await primary.kill()
    await until(replica, 'SELECT pg_promote()')
    current = replica
    expect(await repo.get('/list')).toEqual(['before', 'sure'])
    await append(repo, 'after')
    expect(await repo.get('/list')).toEqual(['before', 'sure', 'after'])
    expect((await verify(repo)).damage).toEqual([])
  })
})
