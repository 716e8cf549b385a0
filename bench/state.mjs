/**
 * The state of the benchmarks: what an agent that looks after services holds.
 *
 * 20 groups of 23 services, about 215 bytes each with their names, 100 KB in all; the same on
 * every run. One step changes one number of one service.
 */
const groupCount = 20
const serviceCount = 23
const regions = ['eu-north', 'eu-west', 'us-east', 'ap-south']

/** Creates the state. */
export function makeState() {
  return Object.fromEntries(numbers(groupCount).map(group => [groupName(group), makeGroup(group)]))
}

/** Gives the path that step `index` changes, as segments; steps walk over all services in a scattered order. */
export function pathOfStep(index) {
  const place = (index * 197) % (groupCount * serviceCount)
  return [groupName(Math.floor(place / serviceCount)), serviceName(place % serviceCount), 'replicas']
}

/** How many leaves `leafAt` knows. */
export const leafCount = groupCount * serviceCount * 3

/** Gives the path of leaf `n` among those that agents change, as segments. */
export function leafAt(n) {
  const service = Math.floor(n / 3)
  const field = ['replicas', 'load', 'note'][n % 3]
  return [groupName(Math.floor(service / serviceCount)), serviceName(service % serviceCount), field]
}

/** Gives what step `index` writes to leaf `n`; it always differs from what was there. */
export function valueOfLeaf(n, index) {
  return n % 3 === 2 ? `last checked in step ${index}, nothing to do` : valueOfStep(index)
}

/** Changes one leaf in place, as step `index` does, and gives the state back. */
export function changeLeaf(state, index) {
  const [group, service, field] = pathOfStep(index)
  state[group][service][field] = valueOfStep(index)
  return state
}

/** Gives the number that step `index` writes; it always differs from what was there. */
export function valueOfStep(index) {
  return 1000 + index
}

function makeGroup(group) {
  return Object.fromEntries(numbers(serviceCount).map(service => [serviceName(service), makeService(group, service)]))
}

function makeService(group, service) {
  const n = group * serviceCount + service
  return {
    image: `registry/team-${group}/service-${service}:1.${n % 17}.${n % 5}`,
    replicas: 1 + (n % 9),
    region: regions[n % regions.length],
    healthy: n % 13 !== 0,
    load: ((n * 37) % 100) / 100,
    owner: `agent/keeper-${n % 7}`,
    note: `last checked in round ${n % 31}, nothing to do`,
    labels: { tier: n % 3 === 0 ? 'front' : 'back' },
  }
}

function numbers(count) {
  return Array.from({ length: count }, (_, n) => n)
}

function groupName(group) {
  return `group-${String(group).padStart(2, '0')}`
}

function serviceName(service) {
  return `service-${String(service).padStart(2, '0')}`
}
