/** A small directed graph, drawn. What it shows is said as a list too, for people who do not see it. */
import { useLayoutEffect, useRef } from 'preact/hooks'
import { layLayers, layPassages, type Placed } from './layers.ts'
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

const WIDTH = 150
const HEIGHT = 34
const GAP_X = 50
const LABELLED_GAP_X = 100
const GAP_Y = 24
const MARGIN = 20
const MOST_LABEL = 16
/** A drawing that is wider than its place shrinks to this share, and scrolls. */
const LEAST_SCALE = 0.8

export function Drawing({ label, nodes, edges }: DrawingProps) {
  const placed = layLayers(
    nodes.map(({ name }) => name),
    edges,
  )
  const passages = layPassages(placed, edges)
  const gap = edges.some(edge => edge.label !== undefined) ? LABELLED_GAP_X : GAP_X
  const x = ({ column }: Placed): number => MARGIN + column * (WIDTH + gap)
  const y = (row: number): number => MARGIN + row * (HEIGHT + GAP_Y)
  const places = [...placed.values()]
  const columns = Math.max(0, ...places.map(({ column }) => column)) + 1
  const rows = Math.max(0, ...places.map(({ row }) => row), ...passages.map(row => row ?? 0)) + 1
  const width = 2 * MARGIN + columns * (WIDTH + gap) - gap
  const height = 2 * MARGIN + rows * (HEIGHT + GAP_Y) - GAP_Y
  const box = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => showWhereItIs(box.current), [nodes.map(({ kind }) => kind).join()])
  return (
    <div class="drawing" ref={box}>
      <svg
        width={width}
        height={height}
        style={{ minWidth: `${width * LEAST_SCALE}px` }}
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-label={visible(`${label}: ${inWords(edges)}`)}
      >
        {edges.map((edge, nth) => {
          const from = placed.get(edge.from)!
          const to = placed.get(edge.to)!
          const line = { x1: x(from), y1: y(from.row), x2: x(to), y2: y(to.row), passage: y(passages[nth] ?? to.row) }
          return <Edge key={`${edge.from} ${edge.to} ${edge.label ?? ''}`} edge={edge} line={line} gap={gap} />
        })}
        {nodes.map(({ name, title = name, kind = '' }) => {
          const place = placed.get(name)!
          return (
            <g key={name} class={`node ${kind}`}>
              <title>{visible(title)}</title>
              <rect x={x(place)} y={y(place.row)} width={WIDTH} height={HEIGHT} rx="6" />
              <text x={x(place) + WIDTH / 2} y={y(place.row) + HEIGHT / 2 + 4}>
                {visible(shortened(title, 20))}
              </text>
            </g>
          )
        })}
      </svg>
    </div>
  )
}

/** What is wider than its place is scrolled by keys too, and begins at the node that waits or failed. */
function showWhereItIs(box: HTMLDivElement | null): void {
  if (box === null || box.scrollWidth <= box.clientWidth) return
  box.tabIndex = 0
  const node = box.querySelector('.node.here, .node.failed')
  if (node === null) return
  const { left, width } = node.getBoundingClientRect()
  box.scrollLeft += left + width / 2 - box.getBoundingClientRect().left - box.clientWidth / 2
}

function inWords(edges: readonly DrawnEdge[]): string {
  return edges.map(({ from, to, label }) => `${from} → ${to}${label === undefined ? '' : ` (${label})`}`).join(', ')
}

/** The upper left corners of both ends, and the height at which the columns between them are passed. */
interface Line {
  readonly x1: number
  readonly y1: number
  readonly x2: number
  readonly y2: number
  readonly passage: number
}

function Edge({ edge, line, gap }: { readonly edge: DrawnEdge; readonly line: Line; readonly gap: number }) {
  const { path, tip, middle } = line.x2 > line.x1 ? forward(line, gap) : backward(line)
  const { label = '' } = edge
  return (
    <g>
      <path class={edge.isDashed ? 'edge dashed' : 'edge'} d={path} />
      <path class="tip" d={tip} />
      {label !== '' && (
        <text class="edge-label" x={middle[0]} y={middle[1] - 5}>
          <title>{visible(label)}</title>
          {visible(shortened(label, MOST_LABEL))}
        </text>
      )}
    </g>
  )
}

interface Drawn {
  readonly path: string
  readonly tip: string
  /** Where a label stands. */
  readonly middle: readonly [number, number]
}

const half = HEIGHT / 2

/** From the right side to the left one, through the free row between them. */
function forward({ x1, y1, x2, y2, passage }: Line, gap: number): Drawn {
  const curve = (fromX: number, fromY: number, toX: number, toY: number): string => {
    const bend = (toX - fromX) / 2
    return `C${fromX + bend} ${fromY} ${toX - bend} ${toY} ${toX} ${toY}`
  }
  const [fromX, fromY, toX, toY, level] = [x1 + WIDTH, y1 + half, x2 - 7, y2 + half, passage + half]
  const tip = `M${x2} ${toY} l-8 -4 v8 z`
  if (toX - fromX <= gap) {
    const middle = [fromX + gap / 2, (fromY + toY) / 2] as const
    return { path: `M${fromX} ${fromY} ${curve(fromX, fromY, toX, toY)}`, tip, middle }
  }
  const [first, last] = [fromX + gap, x2 - gap]
  const path = `M${fromX} ${fromY} ${curve(fromX, fromY, first, level)} H${last} ${curve(last, level, toX, toY)}`
  return { path, tip, middle: [(first + last) / 2, level] }
}

/** From below to below; a loop of one node from its right to its left. */
function backward({ x1, y1, x2, y2 }: Line): Drawn {
  const aside = x1 === x2 && y1 === y2 ? WIDTH / 4 : 0
  const [fromX, toX, toY] = [x1 + WIDTH / 2 + aside, x2 + WIDTH / 2 - aside, y2 + HEIGHT]
  const low = Math.max(y1, y2) + HEIGHT + GAP_Y
  const path = `M${fromX} ${y1 + HEIGHT} C${fromX} ${low} ${toX} ${low} ${toX} ${toY + 7}`
  return { path, tip: `M${toX} ${toY} l-4 8 h8 z`, middle: [(fromX + toX) / 2, low - 2] }
}
