/** Loads the module named with `--app`: the user's code that operations need. */
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Apps } from '../../operations/apps.ts'
import { usageRefusal } from '../../wire/faults/refusal.ts'
import { importModule } from './import-module.ts'

export async function loadApps(file: string, folder: string): Promise<Apps> {
  try {
    const app = await importModule(pathToFileURL(resolve(folder, file)).href)
    const { graphs, migrations, agents } = app as Apps
    return { graphs, migrations, agents }
  } catch (error) {
    throw usageRefusal(
      `The app ${file} cannot be loaded: ${error instanceof Error ? error.message : String(error)}`,
      'It is a JavaScript module that exports graphs, migrations or agents.',
    )
  }
}
