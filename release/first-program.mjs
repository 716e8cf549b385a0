/** The first program of a user, run against the packed tarballs in an empty project. */
import assert from 'node:assert/strict'
import { open } from 'agentstategraph'

const repo = await open('state.db')
await repo.as('agent/first').set('/greeting', 'hello', 'Say hello')
const blame = await repo.blame('/greeting')
assert.equal(await repo.get('/greeting'), 'hello')
assert.equal(blame?.agent, 'agent/first')
await repo.close()
