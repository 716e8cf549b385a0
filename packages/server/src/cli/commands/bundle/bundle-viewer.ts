/** `asg bundle viewer`: the web page that verifies and shows bundles, as one file. It needs no store. */
import { constants, copyFileSync, statSync } from 'node:fs'
import { packageFile } from '../../../host/package-file.ts'
import { ok } from '../../terminal/exit-code.ts'
import { newFileAt } from '../../terminal/new-file.ts'
import { visibleJson, visibleText } from '../../terminal/visible-text.ts'
import type { BuiltinCall } from '../builtin-command.ts'

export async function bundleViewer({ options, settings, terminal }: BuiltinCall): Promise<number> {
  const { out = 'viewer.html' } = options as { out?: string }
  const file = newFileAt(out, terminal)
  copyFileSync(packageFile('verifiers/viewer.html'), file, constants.COPYFILE_EXCL)
  const bytes = statSync(file).size
  if (settings.json) terminal.out(`${visibleJson({ file, bytes }, 2)}\n`)
  else {
    terminal.out(`Wrote ${visibleText(file)}: ${bytes} bytes\n`)
    terminal.err(
      '     Open it by a double click: it works in a browser without a server and without a network.\n' +
        '     Drop a bundle on it, a file of `asg epoch export`, to have it verified and shown.\n',
    )
  }
  return ok
}
