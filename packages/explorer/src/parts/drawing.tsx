/** A small directed graph, drawn. What it shows is said as a list too, for people who do not see it. */
import { layLayers } from './layers.ts'
import { shortened, visible } from './value-text.ts'

export interface DrawnNode {
  readonly name: string
  readonly title?: string
  /** Decides the colour. */
  readonly kind?: string | undefined
}

export interface DrawnEdge {
  readonly from: string
  readonly to: string
  readonly label?: string | undefined
  readonly isDashed?: boolean
}

interface DrawingProps {
  readonly label: string
  readonly nodes: readonly DrawnNode[]
  readonly edges: readonly DrawnEdge[]
}

const WIDTH = 170
const HEIGHT = 34
const GAP_X = 60
const GAP_Y = 22
const MARGIN = 24

export function Drawing({ label, nodes, edges }: DrawingProps) {
  const placed = new Map(
    layLayers(
      nodes.map(({ name }) => name),
      edges,
    ).map(place => [place.name, place]),
  )
  const x = (name: string): number => MARGIN + (placed.get(name)?.column ?? 0) * (WIDTH + GAP_X)
  const y = (name: string): number => MARGIN + (placed.get(name)?.row ?? 0) * (HEIGHT + GAP_Y)
  const places = [...placed.values()]
  const width = 2 * MARGIN + (Math.max(0, ...places.map(({ column }) => column)) + 1) * (WIDTH + GAP_X) - GAP_X
  const height = 2 * MARGIN + (Math.max(0, ...places.map(({ row }) => row)) + 1) * (HEIGHT + GAP_Y) - GAP_Y
  return (
    <div class="drawing">
      <svg
        width={width}
        height={height}
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-label={`${label}: ${inWords(edges)}`}
      >
        {edges.map(edge => (
          <path
            key={`${edge.from} ${edge.to} ${edge.label ?? ''}`}
            class={edge.isDashed ? 'edge dashed' : 'edge'}
            d={lineOf(x(edge.from), y(edge.from), x(edge.to), y(edge.to))}
          />
        ))}
        {nodes.map(({ name, title = name, kind = '' }) => (
          <g key={name} class={`node ${kind}`}>
            <title>{visible(title)}</title>
            <rect x={x(name)} y={y(name)} width={WIDTH} height={HEIGHT} rx="6" />
            <text x={x(name) + WIDTH / 2} y={y(name) + HEIGHT / 2 + 5}>
              {visible(shortened(title, 22))}
            </text>
          </g>
        ))}
      </svg>
    </div>
  )
}

function inWords(edges: readonly DrawnEdge[]): string {
  return visible(
    edges.map(({ from, to, label }) => `${from} → ${to}${label === undefined ? '' : ` (${label})`}`).join(', '),
  )
}

/** Forward from the right side to the left one, with an arrow; backward below both. */
function lineOf(x1: number, y1: number, x2: number, y2: number): string {
  const middle = HEIGHT / 2
  if (x2 > x1) {
    const [fromX, fromY, toX, toY] = [x1 + WIDTH, y1 + middle, x2, y2 + middle]
    const bend = (toX - fromX) / 2
    const curve = `M${fromX} ${fromY} C${fromX + bend} ${fromY} ${toX - bend} ${toY} ${toX} ${toY}`
    return `${curve} M${toX - 7} ${toY - 4} L${toX} ${toY} L${toX - 7} ${toY + 4}`
  }
  const [fromX, toX, low] = [x1 + WIDTH / 2, x2 + WIDTH / 2, Math.max(y1, y2) + HEIGHT + 18]
  const toY = y2 + HEIGHT
  return `M${fromX} ${y1 + HEIGHT} C${fromX} ${low} ${toX} ${low} ${toX} ${toY} M${toX - 4} ${toY + 7} L${toX} ${toY} L${toX + 4} ${toY + 7}`
}
