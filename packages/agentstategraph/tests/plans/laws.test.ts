/** No interleaving of claims, leases, completions and changes gives a task twice or loses one. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type Claim, type Priority, plans } from '../../src/plans/index.ts'
import { open } from '../../src/repository/index.ts'
import { expectIndexHolds } from './support/plan-index-check.ts'
import { PlanModel } from './support/plan-model.ts'

const agents = ['agent/a', 'agent/b', 'agent/c'] as const
const agent = fc.constantFrom(...agents)
const priority = fc.constantFrom<Priority>('critical', 'high', 'medium', 'low')
const pick = fc.nat(1000)

type Step =
  | {
      readonly kind: 'add'
      readonly priority: Priority
      readonly assignee: string | undefined
      readonly after: readonly number[]
      readonly parent: number | undefined
    }
  | { readonly kind: 'claim'; readonly agent: string; readonly leaseMs: number }
  | { readonly kind: 'complete' | 'release' | 'renew' | 'abandon'; readonly pick: number }
  | { readonly kind: 'change'; readonly pick: number; readonly priority: Priority; readonly assignee: string | null }
  | { readonly kind: 'pass'; readonly ms: number }

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constant('add' as const),
    priority,
    assignee: fc.option(agent, { nil: undefined, freq: 3 }),
    after: fc.array(pick, { maxLength: 2 }),
    parent: fc.option(pick, { nil: undefined, freq: 2 }),
  }),
  {
    arbitrary: fc.record({ kind: fc.constant('claim' as const), agent, leaseMs: fc.integer({ min: 1, max: 30 }) }),
    weight: 3,
  },
  fc.record({
    kind: fc.constantFrom(
      'complete' as const,
      'complete' as const,
      'release' as const,
      'renew' as const,
      'abandon' as const,
    ),
    pick,
  }),
  fc.record({ kind: fc.constant('change' as const), pick, priority, assignee: fc.option(agent) }),
  fc.record({ kind: fc.constant('pass' as const), ms: fc.integer({ min: 1, max: 20 }) }),
)

it('a plan does what its model does, and its index is the one that its tasks give', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), async steps => {
      const model = new PlanModel()
      const start = Date.parse('2026-01-01T00:00:00.000Z')
      await using repo = await open(undefined, { clock: () => new Date(start + model.now) })
      await plans(repo).create('p')
      const planOf = new Map(
        await Promise.all(agents.map(async name => [name as string, await plans(repo.as(name)).get('p')] as const)),
      )
      const plan = planOf.get('agent/a')!
      const claims: { readonly claim: Claim; readonly id: string; readonly leaseMs: number }[] = []
      /** Whether an action went through, and only as the model says. */
      const expectThat = async (isAllowed: boolean, work: Promise<unknown>): Promise<void> => {
        const code = await work.then(
          () => undefined,
          error => error.code,
        )
        expect(code === undefined).toBe(isAllowed)
        if (code !== undefined)
          expect(['lease-lost', 'transition-refused', 'task-blocked', 'task-cycle']).toContain(code)
      }
      for (const one of steps) {
        const { tasks } = model
        switch (one.kind) {
          case 'pass':
            model.now += one.ms
            break
          case 'add': {
            const after = tasks.length === 0 ? [] : [...new Set(one.after.map(n => tasks[n % tasks.length]!))]
            const blockedBy = after.filter(({ status }) => status !== 'abandoned').map(({ id }) => id)
            const { assignee, priority } = one
            const above = one.parent === undefined ? undefined : tasks[one.parent % tasks.length]
            const parent = above?.id
            const isOpen = above === undefined || above.status === 'pending' || above.status === 'in-progress'
            const isCircle = parent !== undefined && blockedBy.some(id => model.leadsTo(id, parent))
            const adding = plan.add({ title: 'x', priority, assignee, blockedBy, parent })
            await expectThat(isOpen && !isCircle, adding)
            if (!isOpen || isCircle) break
            const { id } = await adding
            tasks.push({ id, priority, assignee, parent, blockedBy, status: 'pending', held: undefined })
            break
          }
          case 'claim': {
            const expected = model.next(one.agent)
            const mine = planOf.get(one.agent)!
            expect((await mine.next())?.id).toBe(expected?.id)
            const claim = await mine.claim({ leaseMs: one.leaseMs })
            expect(claim?.task.id).toBe(expected?.id)
            if (claim === undefined || expected === undefined) break
            expected.status = 'in-progress'
            expected.held = { claim: claims.length, owner: one.agent, ends: model.now + one.leaseMs }
            claims.push({ claim, id: expected.id, leaseMs: one.leaseMs })
            break
          }
          case 'change':
          case 'abandon': {
            const task = tasks[one.pick % tasks.length]
            if (task === undefined) break
            const isOpen = task.status === 'pending' || task.status === 'in-progress'
            if (!('priority' in one)) {
              await expectThat(isOpen, plan.abandon(task.id, 'No'))
              if (isOpen) task.status = 'abandoned'
            } else {
              await expectThat(isOpen, plan.change(task.id, { priority: one.priority, assignee: one.assignee }))
              if (isOpen) Object.assign(task, { priority: one.priority, assignee: one.assignee ?? undefined })
            }
            break
          }
          default: {
            const which = claims.length === 0 ? undefined : one.pick % claims.length
            if (which === undefined) break
            const { claim, id, leaseMs } = claims[which]!
            const task = tasks.find(each => each.id === id)!
            const isHeld = model.isHeldBy(task, which)
            if (one.kind === 'complete') {
              const isAllowed = isHeld && model.isFree(task)
              await expectThat(isAllowed, claim.complete({ kind: 'text', value: 'x' }))
              if (isAllowed) task.status = 'done'
            } else if (one.kind === 'release') {
              await expectThat(isHeld, claim.release())
              if (isHeld) task.status = 'pending'
            } else {
              await expectThat(isHeld, claim.renew())
              if (isHeld) task.held!.ends = model.now + leaseMs
            }
          }
        }
      }
      const shown = (await plan.tasks()).map(({ id, status, priority, assignee }) => ({
        id,
        status,
        priority,
        assignee,
      }))
      expect(shown).toEqual(
        model.tasks.map(task => {
          const { id, priority, assignee } = task
          return { id, status: model.statusOf(task), priority, assignee }
        }),
      )
      await expectIndexHolds(repo, 'p')
    }),
    { numRuns: 60 },
  )
})
