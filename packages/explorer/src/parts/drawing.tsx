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

const LEAST_WIDTH = 90
const MOST_TITLE = 30
/** A character of a title at the size of the style, on average. */
const CHARACTER = 6.6
const HEIGHT = 34
const HALF = HEIGHT / 2
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
  const sizes = sizesOf(nodes, edges)
  const x = ({ column }: Placed): number => MARGIN + column * (sizes.width + sizes.gap)
  const y = (row: number): number => MARGIN + row * (HEIGHT + GAP_Y)
  const places = [...placed.values()]
  const width = MARGIN + Math.max(0, ...places.map(place => x(place) + sizes.width))
  const height =
    MARGIN + Math.max(0, ...places.map(({ row }) => y(row) + HEIGHT), ...passages.map(row => y(row ?? 0) + HALF))
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
          return <Edge key={`${edge.from} ${edge.to} ${edge.label ?? ''}`} edge={edge} line={line} sizes={sizes} />
        })}
        {nodes.map(({ name, title = name, kind = '' }) => {
          const place = placed.get(name)!
          return (
            <g key={name} class={`node ${kind}`}>
              <title>{visible(title)}</title>
              <rect x={x(place)} y={y(place.row)} width={sizes.width} height={HEIGHT} rx="6" />
              <text x={x(place) + sizes.width / 2} y={y(place.row) + HALF + 4}>
                {visible(shortened(title, MOST_TITLE))}
              </text>
            </g>
          )
        })}
      </svg>
    </div>
  )
}

/** The width of a node, and of the room between two columns. */
interface Sizes {
  readonly width: number
  readonly gap: number
}

/** Nodes have one width, in which the longest title fits. */
function sizesOf(nodes: readonly DrawnNode[], edges: readonly DrawnEdge[]): Sizes {
  const longest = Math.max(...nodes.map(({ name, title = name }) => Math.min(title.length, MOST_TITLE + 1)))
  return {
    width: Math.max(LEAST_WIDTH, Math.ceil(longest * CHARACTER) + 20),
    gap: edges.some(edge => edge.label !== undefined) ? LABELLED_GAP_X : GAP_X,
  }
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

function Edge({ edge, line, sizes }: { readonly edge: DrawnEdge; readonly line: Line; readonly sizes: Sizes }) {
  const { path, tip, middle } = line.x2 > line.x1 ? forward(line, sizes) : backward(line, sizes)
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

/** From the right side to the left one, through the free row between them. */
function forward({ x1, y1, x2, y2, passage }: Line, { width, gap }: Sizes): Drawn {
  const curve = (fromX: number, fromY: number, toX: number, toY: number): string => {
    const bend = (toX - fromX) / 2
    return `C${fromX + bend} ${fromY} ${toX - bend} ${toY} ${toX} ${toY}`
  }
  const [fromX, fromY, toX, toY, level] = [x1 + width, y1 + HALF, x2 - 7, y2 + HALF, passage + HALF]
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
function backward({ x1, y1, x2, y2 }: Line, { width }: Sizes): Drawn {
  const aside = x1 === x2 && y1 === y2 ? width / 4 : 0
  const [fromX, toX, toY] = [x1 + width / 2 + aside, x2 + width / 2 - aside, y2 + HEIGHT]
  const low = Math.max(y1, y2) + HEIGHT + GAP_Y
  const path = `M${fromX} ${y1 + HEIGHT} C${fromX} ${low} ${toX} ${low} ${toX} ${toY + 7}`
  return { path, tip: `M${toX} ${toY} l-4 8 h8 z`, middle: [(fromX + toX) / 2, low - 2] }
}
