import type { MouseEvent } from 'react'
import styles from './map.module.css'
import { box, type MapLayout, type Placed, step } from './map-layout'
import type { MapRest } from './map-plan'

/** The texts of one node. */
export type NodeTexts = {
  name: string
  lines: readonly string[]
  mark?: string | undefined
  label: string
  since?: string | undefined
  isNew?: boolean
}

type MapDrawingProps = {
  layout: MapLayout
  /** The title and time of the drawing: its first lines. */
  heading: readonly [title: string, note: string]
  label: string
  /** The scope that the user looked for. */
  found?: number | undefined
  textsOf: (placed: Placed) => NodeTexts
  hrefOf: (scope: number) => string
  /** On the screen. Without it, the drawing is one for paper or a file: light, and without buttons. */
  live?: {
    zoom: number
    onFollow: (event: MouseEvent, scope: number) => void
    onOpen: (rest: MapRest) => void
    /** The address at which more of a branch is drawn. */
    moreHref: (parent: number) => string
  }
}

const font = "'Inter Variable', Inter, 'Helvetica Neue', Roboto, Arial, sans-serif"

/*
 * The attributes hold the light colours, for paper and files. On the screen, the style sheet outranks them with the colours of the theme.
 */
const ink = {
  text: '#0f141a',
  quiet: '#424650',
  line: '#8c8c94',
  accent: '#5246d2',
  surface: '#ffffff',
  found: '#fff1b8',
}

/** The map as SVG. */
export function MapDrawing({ layout, heading, label, found, textsOf, hrefOf, live }: MapDrawingProps) {
  const { width, height, nodes, curves } = layout
  const zoom = live?.zoom ?? 1
  return (
    <svg
      xmlns="http://www.w3.org/2000/svg"
      viewBox={`0 0 ${width} ${height}`}
      width={width * zoom}
      height={height * zoom}
      fontFamily={font}
      fontSize="13"
      className={live && styles.drawing}
    >
      <title>{label}</title>
      {!live && <rect width={width} height={height} fill={ink.surface} />}
      <text x="24" y="26" fontSize="16" fontWeight="700" fill={ink.text}>
        {heading[0]}
      </text>
      <text x="24" y="44" fontSize="12" fill={ink.quiet} data-part="quiet">
        {heading[1]}
      </text>
      <g fill="none" stroke={ink.line} strokeWidth="1.5">
        {curves.map(({ key, path }) => (
          <path key={key} d={path} />
        ))}
      </g>
      {nodes.map((placed) => (
        <MapBox
          key={placed.key}
          placed={placed}
          isFound={placed.key === String(found)}
          texts={textsOf(placed)}
          hrefOf={hrefOf}
          live={live}
        />
      ))}
    </svg>
  )
}

type MapBoxProps = Pick<MapDrawingProps, 'hrefOf' | 'live'> & {
  placed: Placed
  isFound: boolean
  texts: NodeTexts
}

function MapBox({ placed, isFound, texts, hrefOf, live }: MapBoxProps) {
  const { item } = placed
  if (item.kind === 'rest') return <RestBox placed={placed} rest={item} texts={texts} live={live} />
  const { id } = item.node
  const drawn = (
    <>
      <Outline placed={placed} isFound={isFound} isDouble={texts.mark !== undefined} />
      <Lines placed={placed} texts={texts} />
      {texts.mark !== undefined && <UnlimitedMark placed={placed} text={texts.mark} />}
      {texts.since !== undefined && <SinceMark placed={placed} text={texts.since} />}
    </>
  )
  // The past has no screen of a scope that came later.
  if (texts.isNew) return <g>{drawn}</g>
  return (
    <a
      href={hrefOf(id)}
      aria-label={texts.label}
      aria-current={isFound || undefined}
      onClick={live ? (event) => live.onFollow(event, id) : undefined}
    >
      {drawn}
    </a>
  )
}

type PlacedProps = { placed: Placed }

/** Unlimited scopes have a second line around them. */
function Outline({
  placed: { x, y },
  isFound,
  isDouble,
}: PlacedProps & { isFound: boolean; isDouble: boolean }) {
  const look = {
    fill: isFound ? ink.found : ink.surface,
    stroke: isDouble ? ink.accent : ink.line,
    strokeWidth: 1.5,
    rx: 8,
  }
  return (
    <>
      {isDouble && (
        <rect
          {...look}
          x={x - 4}
          y={y - 4}
          rx={11}
          width={box.width + 8}
          height={box.height + 8}
          data-part="mark"
        />
      )}
      <rect
        {...look}
        x={x}
        y={y}
        width={box.width}
        height={box.height}
        data-part={isFound ? 'found' : isDouble ? 'mark' : 'box'}
      />
    </>
  )
}

/** A nested drawing clips text at the edge of the box; the title has the whole name. */
function Lines({ placed: { x, y }, texts }: PlacedProps & { texts: NodeTexts }) {
  return (
    <svg x={x} y={y} width={box.width - 8} height={box.height}>
      <title>{texts.name}</title>
      <text x="12" y="21" fontSize="14" fontWeight="600" fill={ink.text}>
        {shortened(texts.name)}
      </text>
      {texts.lines.map((line, index) => (
        <text key={line} x="12" y={40 + 17 * index} fontSize="12" fill={ink.quiet} data-part="quiet">
          {` ${line}`}
        </text>
      ))}
    </svg>
  )
}

function UnlimitedMark({ placed: { x, y }, text }: PlacedProps & { text: string }) {
  const width = text.length * 6 + 28
  return (
    <g>
      <rect x={x + 12} y={y - 16} width={width} height="20" rx="10" fill={ink.accent} data-part="pill" />
      <text x={x + 20} y={y - 2} fontSize="11" fontWeight="600" fill={ink.surface} data-part="onPill">
        {` ∞ ${text}`}
      </text>
    </g>
  )
}

/** Below the box: what has happened since. */
function SinceMark({ placed: { x, y }, text }: PlacedProps & { text: string }) {
  const top = y + box.height - 6
  return (
    <svg x={x + 8} y={top} width={step.across - 40} height="20">
      <title>{text}</title>
      <rect
        width={Math.min(text.length * 6.2 + 16, step.across - 40)}
        height="18"
        rx="9"
        fill={ink.found}
        stroke={ink.line}
        data-part="since"
      />
      <text x="8" y="13" fontSize="11" fontWeight="600" fill={ink.text}>
        {clipped(text, 43)}
      </text>
    </svg>
  )
}

function RestBox({
  placed,
  rest,
  texts,
  live,
}: Pick<MapBoxProps, 'placed' | 'texts' | 'live'> & { rest: MapRest }) {
  const { x, y } = placed
  const drawn = (
    <>
      <rect
        x={x}
        y={y + 14}
        width={130}
        height={38}
        rx="19"
        fill={ink.surface}
        stroke={ink.line}
        strokeWidth="1.5"
        strokeDasharray="5 4"
        data-part="box"
      />
      <text x={x + 65} y={y + 38} textAnchor="middle" fill={ink.accent} fontWeight="600" data-part="accent">
        {texts.name}
      </text>
    </>
  )
  if (!live) return <g>{drawn}</g>
  return (
    <a
      href={live.moreHref(rest.parent)}
      aria-label={texts.label}
      data-rest
      onClick={(event) => {
        event.preventDefault()
        live.onOpen(rest)
      }}
    >
      {drawn}
    </a>
  )
}

const longestName = 30

const clipped = (text: string, most: number): string =>
  [...text].length > most ? `${[...text].slice(0, most - 1).join('')}…` : text

export const shortened = (name: string): string => clipped(name, longestName)
