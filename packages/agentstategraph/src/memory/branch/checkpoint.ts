/** Checkpoints: collects the changes of a workspace, validates and lands them. What is refused stays pending. */

import { hexOfId } from '../../core/index.ts'
import { type Why, type Written, writtenAgain, writtenFrom } from '../../repo/index.ts'
import { catchUp, readFromBase } from './catch-up.ts'
import { type LandingOptions, landAside, landCollected, type Outcome } from './land-workspace.ts'
import { collect, validate, type Workspace } from './workspace.ts'

/** Lands the changes and moves the workspace to them; undefined when nothing changed. */
export async function checkpointWorkspace(
  workspace: Workspace,
  why: Why,
  options: LandingOptions,
): Promise<Written | undefined> {
  const { journal } = workspace.handle
  const outcome = await collectAndLand(workspace, why, options)
  if (outcome === undefined) return undefined
  if (outcome.kind === 'repeated') return journal.run(writtenAgain(workspace.handle, outcome.seq))
  if (outcome.kind === 'refused') throw outcome.because('the working copy')
  await journal.run(workspace.base.isCommit ? readFromBase(workspace) : catchUp(workspace))
  const { commit } = outcome
  return commit === undefined
    ? undefined
    : journal.run(writtenFrom(workspace.handle, commit, outcome.kind === 'landed'))
}

/** Lands the changes of a run. If they conflict with what landed since, they land on a new branch that the error names. */
export async function checkpointRun(
  workspace: Workspace,
  run: string,
  name: string,
  why: Why,
): Promise<string | undefined> {
  const outcome = await collectAndLand(workspace, why, { body: { run }, name })
  if (outcome === undefined) return undefined
  if (outcome.kind === 'repeated') throw new Error(`Two runs are called ${run}`)
  if (outcome.kind !== 'refused') return outcome.commit === undefined ? undefined : hexOfId(outcome.commit.id)
  const { handle } = workspace
  const aside = `${handle.branch}-conflict/${run}`
  await handle.journal.run(landAside(workspace, outcome.mine, aside, why))
  throw outcome.because(aside)
}

async function collectAndLand(workspace: Workspace, why: Why, options: LandingOptions): Promise<Outcome | undefined> {
  const collected = collect(workspace)
  if (collected.length === 0) return undefined
  await validate(collected)
  return workspace.handle.journal.run(landCollected(workspace, collected, why, options))
}
