/** A plan on a new repository whose clock stands still until it is told to go on. */
import { onTestFinished } from 'vitest'
import { type Plan, plans } from '../../../src/plans/index.ts'
import { open, type Repository } from '../../../src/repository/index.ts'

export interface Clocked {
  readonly repo: Repository
  /** Lets time pass. */
  pass(ms: number): void
  /** The plan as an agent holds it. */
  as(agent: string): Promise<Plan>
}

export const planName = 'migrate-db'

export async function newPlan(): Promise<Clocked> {
  let now = Date.parse('2026-04-06T08:00:00.000Z')
  const repo = await open(undefined, { clock: () => new Date(now) })
  onTestFinished(() => repo.close())
  await plans(repo.as('agent/lead')).create(planName, 'Move to another database')
  return {
    repo,
    pass: ms => {
      now += ms
    },
    as: agent => plans(repo.as(agent)).get(planName),
  }
}

export const proof = { kind: 'text', value: 'seen' } as const
