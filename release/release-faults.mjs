/** What is wrong with a release before anything is built. It looks at texts only. */

/** Every fault in words that say what to do. */
export function findReleaseFaults({ manifests, workspace, origin, changelog, isDry, uncommitted, tags }) {
  const [library, ...others] = manifests
  const { version } = library
  const faults = []
  for (const { name, version: other, dependencies = {} } of others) {
    if (other !== version) faults.push(`${name} is ${other} and ${library.name} is ${version}: both carry one version.`)
    const asked = dependencies[library.name]
    if (asked !== version) faults.push(`${name} asks for ${library.name} ${asked}: it must ask for exactly ${version}.`)
  }
  const section = changelog.split('\n').find(line => line.startsWith('## '))
  if (!section?.startsWith(`## ${version}`))
    faults.push(`CHANGELOG.md begins with "${section}": it must begin with ${version}.`)
  for (const { name, ...manifest } of manifests) {
    const missing = ['repository', 'homepage', 'bugs', 'keywords'].filter(field => manifest[field] === undefined)
    if (missing.length > 0)
      faults.push(`package.json of ${name} lacks ${missing.join(', ')}: say where the project lives.`)
    else if (placeOf(manifest) !== placeOf(workspace))
      faults.push(`package.json of ${name} says ${placeOf(manifest)}: the workspace says ${placeOf(workspace)}.`)
  }
  if (isDry) return faults
  if (section?.includes('not yet released'))
    faults.push(`CHANGELOG.md says that ${version} is not yet released: write the date.`)
  if (addressOf(origin) !== addressOf(workspace.repository.url))
    faults.push(
      `package.json of the workspace says that the project lives at ${workspace.repository.url}, and origin is ${origin || 'not set'}: ` +
        'correct repository, homepage and bugs in all three.',
    )
  if (uncommitted !== '') faults.push('There are uncommitted changes: commit them.')
  if (tags !== '') faults.push(`The tag v${version} is there: choose a new version.`)
  return faults
}

/** Where a package says that its project lives. */
function placeOf({ repository, homepage, bugs }) {
  return `${repository.url}, ${homepage}, ${bugs}`
}

/** An address of a Git repository without what is written in several ways. */
function addressOf(url) {
  return url
    .replace(/^git\+/, '')
    .replace(/^(?:ssh:\/\/)?git@([^:/]+)[:/]/, 'https://$1/')
    .replace(/\.git$/, '')
}

/** The largest size of the unpacked library. */
const MAX_LIBRARY_BYTES = 2_500_000

/** What is wrong with a packed tarball. */
export function findTarballFaults({ name, unpackedSize, paths }) {
  const faults = []
  const missing = ['README.md', 'LICENSE', 'LICENSE-MIT', 'LICENSE-APACHE', 'package.json'].filter(
    file => !paths.includes(file),
  )
  if (missing.length > 0) faults.push(`the tarball of ${name} lacks ${missing.join(', ')}`)
  const maps = paths.filter(path => path.endsWith('.map'))
  if (maps.length > 0) faults.push(`the tarball of ${name} has maps to files that are not in it: ${maps[0]}`)
  if (name === 'agentstategraph' && unpackedSize > MAX_LIBRARY_BYTES)
    faults.push(`${name} takes ${unpackedSize} bytes unpacked: the limit is ${MAX_LIBRARY_BYTES}`)
  return faults
}
