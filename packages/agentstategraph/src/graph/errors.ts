/** What goes wrong in graphs and their runs, in words. */

import { type ErrorMaker, errorsOf } from '../core/index.ts'
import type {} from '../face/errors.ts'

export interface GraphErrors {
  'run-busy': { readonly thread: string }
}

declare module '../face/errors.ts' {
  interface StateErrorData extends GraphErrors {}
}

export const graphError: ErrorMaker<GraphErrors> = errorsOf<GraphErrors>({
  'run-busy': ({ thread }) => [`Thread ${thread} is being run.`, "Wait for it, or run with whenBusy: 'queue'."],
})
