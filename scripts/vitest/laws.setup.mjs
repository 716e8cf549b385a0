/**
 * Gives every law the seed of the run, and ends a law before vitest would, so that a failing one always prints its seed
 * and its path, also while it is still being shrunk. It runs in the process of each test file, before the file.
 */
import fc from 'fast-check'

const seed = Number(process.env.ASG_SEED)

const patience = process.env.ASG_SOAK === '1' ? 3_000_000 : 480_000

fc.configureGlobal({ seed, interruptAfterTimeLimit: patience, markInterruptAsFailure: true })
