import { type ComponentProps, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { createPortal, flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { useNavigate, useSearchParams } from 'react-router'
import { useFormatter, useTranslations } from 'use-intl'
import { Failure, Waiting } from '#components/base/forms/failure'
import { idIn } from '#components/base/forms/ids'
import { NamedField } from '#components/base/pickers/named-picker'
import { AppButton } from '#components/base/screens/app-link'
import { paths } from '#components/base/screens/paths'
import { useSearchChange } from '#components/base/screens/use-search-change'
import { useMayPick } from '#components/base/session/session'
import { CountOfMarks } from '#components/frame/as-of/present'
import { Page } from '#components/frame/layout/page'
import { productName } from '#components/frame/layout/product'
import { useAddress } from '#components/kit/address'
import { Button } from '#components/kit/button'
import { Row, Stack } from '#components/kit/layout'
import { screenIcons } from '#components/kit/screen-icons'
import { Tool } from '#components/kit/tool'
import { saveFile } from '#lib/client/save-file'
import styles from './map.module.css'
import { MapDrawing } from './map-drawing'
import { box, layMap, type MapLayout } from './map-layout'
import { useMapTexts } from './map-texts'
import { useScopeMap } from './use-scope-map'

/** The scope tree as a drawing, from the roots or from one scope. */
export function Component() {
  const say = useTranslations('scopes')
  const [search] = useSearchParams()
  const root = idIn(search, 'root')
  const found = idIn(search, 'found')
  const map = useScopeMap(root, found)
  const title = map.rootName === undefined ? say('map.title') : say('map.titleOf', { name: map.rootName })
  return (
    <Page
      title={title}
      breadcrumbs={[{ text: say('title'), href: paths.scopes() }]}
      actions={
        <Row>
          {root !== undefined && <AppButton to={paths.scopeMap()}>{say('map.whole')}</AppButton>}
          <AppButton to={root === undefined ? paths.scopes() : paths.scope(root)}>
            {say('map.asList')}
          </AppButton>
        </Row>
      }
    >
      {map.plan ? (
        <Stack>
          {map.error && <Failure error={map.error} retry={map.refetch} />}
          <Drawn key={`${root} ${found}`} title={title} found={found} map={{ ...map, plan: map.plan }} />
        </Stack>
      ) : (
        <Waiting read={map} />
      )}
    </Page>
  )
}

type ScopeMap = ReturnType<typeof useScopeMap>
type DrawnProps = {
  title: string
  found: number | undefined
  map: ScopeMap & { plan: NonNullable<ScopeMap['plan']> }
}

function Drawn({ title, found, map: { plan, since, isLoading, openMore, moreHref } }: DrawnProps) {
  const say = useTranslations('scopes.map')
  const format = useFormatter()
  const navigate = useNavigate()
  const textsOf = useMapTexts(since)
  const { shown, hidden, below } = plan
  const extent = `${say('shown', { count: shown })} ${say('hidden', { count: hidden })}`
  const day = format.dateTime(new Date(), { dateStyle: 'long', timeStyle: 'short' })
  const layout = layMap(below)
  const frame = useRef<HTMLElement>(null)
  const { zoom, setZoom, isFitted } = useZoom(frame, layout, isLoading)
  const begin = layout.nodes.find(({ key }) => key === String(found)) ?? layout.nodes[0]
  const addressOf = useAddress()
  useSteady(frame, {
    x: ((begin?.x ?? 0) + box.width / 2) * zoom,
    y: ((begin?.y ?? 0) + box.height / 2) * zoom,
    isFitted,
  })
  const still: ComponentProps<typeof MapDrawing> = {
    layout,
    heading: [title, `${productName()} · ${day} · ${extent}`],
    label: say('label'),
    found,
    textsOf,
    hrefOf: (id) => new URL(addressOf(paths.scope(id)), location.href).href,
  }
  return (
    <>
      <div className={styles.bar}>
        <span role="status">{extent}</span>
        <Row>
          <FindScope />
          <ZoomButtons zoom={zoom} onChange={setZoom} />
          <Button onPress={() => window.print()}>{say('print')}</Button>
          <Button icon={screenIcons.download} onPress={() => saveSvg(title, still)}>
            {say('save')}
          </Button>
        </Row>
      </div>
      {since.isOn && <CountOfMarks count={since.marks} />}
      <section ref={frame} className={styles.frame} aria-label={title}>
        <MapDrawing
          {...still}
          live={{
            zoom,
            moreHref,
            onOpen: ({ parent }) => openMore(parent),
            onFollow: (event, id) => {
              if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
              event.preventDefault()
              void navigate(paths.scope(id))
            },
          }}
        />
      </section>
      <Sheet {...still} />
    </>
  )
}

/** Draws the way to the chosen scope, and what is below it. */
function FindScope() {
  const say = useTranslations('scopes.map')
  const navigate = useNavigate()
  if (!useMayPick('scope')) return null
  return (
    <div className={styles.find}>
      <NamedField
        kind="scope"
        label={<span className="unseen">{say('find')}</span>}
        value={undefined}
        onChange={(scope) => scope && void navigate(paths.scopeOnMap(scope.id))}
      />
    </div>
  )
}

/** Begins with the found scope or the root in the middle, and keeps it in its place while branches are drawn. */
function useSteady(
  frame: RefObject<HTMLElement | null>,
  { x, y, isFitted }: { x: number; y: number; isFitted: boolean },
): void {
  const last = useRef<{ x: number; y: number }>(undefined)
  useEffect(() => {
    if (!frame.current || !isFitted) return
    const { clientWidth, clientHeight } = frame.current
    const before = last.current ?? { x: clientWidth / 2, y: clientHeight / 2 }
    frame.current.scrollLeft += x - before.x
    frame.current.scrollTop += y - before.y
    last.current = { x, y }
  }, [frame, x, y, isFitted])
}

const zooms = [0.25, 0.5, 0.75, 1, 1.25, 1.5, 2]

/** The texts of a smaller map cannot be read. */
const smallestFit = 0.5

/** The size in the address. Without one, the map fits its frame at the start, and keeps its size while branches are opened. */
function useZoom(frame: RefObject<HTMLElement | null>, { width, height }: MapLayout, isLoading: boolean) {
  const [search] = useSearchParams()
  const change = useSearchChange()
  const [fitting, setFitting] = useState({ zoom: 1, isDone: false })
  useLayoutEffect(() => {
    if (!frame.current || fitting.isDone) return
    const { clientWidth, clientHeight } = frame.current
    const zoom = Math.max(smallestFit, Math.min(1, clientWidth / width, clientHeight / height))
    setFitting({ zoom, isDone: !isLoading })
  }, [frame, width, height, isLoading, fitting.isDone])
  const asked = Number(search.get('zoom')) / 100
  return {
    zoom: zooms.includes(asked) ? asked : fitting.zoom,
    /** False while branches are loaded for which the map may become smaller. */
    isFitted: fitting.isDone,
    setZoom: (zoom: number) => change({ zoom: `${zoom * 100}` }, { replace: true }),
  }
}

function ZoomButtons({ zoom, onChange }: { zoom: number; onChange: (zoom: number) => void }) {
  const say = useTranslations('scopes.map')
  const button = (step: 1 | -1) => {
    const next = step === 1 ? zooms.find((other) => other > zoom) : zooms.findLast((other) => other < zoom)
    const name = say(step === 1 ? 'zoomIn' : 'zoomOut')
    return (
      <Tool
        look="quiet"
        icon={step === 1 ? screenIcons.zoomIn : screenIcons.zoomOut}
        label={name}
        disabled={next === undefined}
        onPress={() => next !== undefined && onChange(next)}
      />
    )
  }
  return (
    <fieldset className={styles.zoom} aria-label={say('zoom')}>
      {button(-1)}
      <output>{say('zoomAt', { percent: zoom })}</output>
      {button(1)}
    </fieldset>
  )
}

/** The printed page: drawn when the browser prints. A child of the body, so that the style sheet can hide all else. */
function Sheet(still: ComponentProps<typeof MapDrawing>) {
  const [isPrinting, setPrinting] = useState(false)
  useEffect(() => {
    const before = () => flushSync(() => setPrinting(true))
    const after = () => setPrinting(false)
    window.addEventListener('beforeprint', before)
    window.addEventListener('afterprint', after)
    return () => {
      window.removeEventListener('beforeprint', before)
      window.removeEventListener('afterprint', after)
    }
  }, [])
  if (!isPrinting) return null
  return createPortal(
    <div className={styles.sheet} aria-hidden>
      <MapDrawing {...still} />
    </div>,
    document.body,
  )
}

/** A file that needs nothing else: drawn apart from the screen and its style sheets. The serializer escapes the texts. */
function saveSvg(title: string, still: ComponentProps<typeof MapDrawing>): void {
  const place = document.createElement('div')
  const root = createRoot(place)
  flushSync(() => root.render(<MapDrawing {...still} />))
  const drawing = place.querySelector('svg')
  const text = drawing ? new XMLSerializer().serializeToString(drawing) : ''
  root.unmount()
  saveFile(`${title}.svg`, new Blob([text], { type: 'image/svg+xml' }))
}
