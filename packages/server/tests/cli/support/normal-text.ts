/** Text of the command line without what differs from run to run. */

/** Replaces ids, times, folders and names of this machine by names, in the order in which they first appear. */
export function normaliser(folder: string): (text: string) => string {
  const ids = new Map<string, string>()
  const named = (kind: string) => (id: string) => {
    const known = ids.get(id) ?? `${kind}${ids.size + 1}`
    ids.set(id, known)
    return known
  }
  return text =>
    text
      .replaceAll(folder, '~')
      .replace(/asg_[\w-]+/g, 'asg_KEY')
      .replace(/\b(agentstategraph)\+[0-9a-f]{8}\+[\w+/=]+/g, '$1+KEY')
      .replace(/\bby agentstategraph\+[0-9a-f]{8}/g, 'by agentstategraph+KEY')
      .replace(/\d{4}-\d\d-\d\d(?: \d\d:\d\d [+-]\d\d:\d\d|T[\d:.]+Z)/g, 'TIME')
      .replace(/\b(?=[0-9a-f]*\d)[0-9a-f]{12}\b/g, named('commit'))
      .replace(/\b(?=[0-9a-z]*\d)[0-9a-z]{26}\b/g, named('id'))
      .replace(/human\/[\w.-]+/g, 'human/me')
      .replace(/\d+ bytes/g, 'N bytes')
      .replace(/\(\d+ KB\)/g, '(N KB)')
      .replace(/(bytes\w*\s+)\d+/g, '$1N')
}
