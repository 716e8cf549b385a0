/** The address of a trace, from one with `{trace}` where its id belongs; of a traceparent that is the id of the whole trace. */
export function traceUrl(place: string, trace: string): string | undefined {
  const [, id = trace] = /^[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}$/.exec(trace) ?? []
  // A trace may be an address itself. What is no address of the web is no link.
  const url = /^https?:\/\//.test(trace) ? trace : place.replaceAll('{trace}', () => encodeURIComponent(id))
  return /^https?:\/\//.test(url) ? url : undefined
}
