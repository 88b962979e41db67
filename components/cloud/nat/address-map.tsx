import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { useTranslations } from 'use-intl'
import { Failure } from '#components/base/forms/failure'
import { access } from '#components/base/screens/access'
import { AppLink } from '#components/base/screens/app-link'
import { useIsPast } from '#components/base/screens/as-of'
import { useSearchChange, useSearchPath } from '#components/base/screens/use-search-change'
import { useMay } from '#components/base/session/session'
import { CountOfMarks, useComparing } from '#components/frame/as-of/present'
import { Button } from '#components/kit/button'
import { Card, Stack } from '#components/kit/layout'
import { Segments } from '#components/kit/segments'
import { Spinner } from '#components/kit/spinner'
import { useIsNarrow } from '#components/table/table-width'
import { addressMapQuery } from '#lib/cloud/nat/networks.queries'
import type { AddressMapDocument, NatNetworkDocument } from '#lib/cloud/nat/networks.schema'
import type { Say } from '#lib/words/words'
import { AddIps } from './add-ips'
import { useCellWords, useKnownState } from './cell-words'
import { Address } from './cells'
import { IpDetails } from './ip-details'
import styles from './map.module.css'
import {
  addressOf,
  blocksAround,
  cellHolding,
  cellStates,
  cellsOf,
  hasFault,
  type MapCell,
  withFaults,
  withNow,
} from './map-cells'
import { MapGrid } from './map-grid'
import { MapTable } from './map-table'
import { useOpenIp } from './open-ip'

type AddressMapProps = { datacenter: number; network: NatNetworkDocument }

/** The address map of a network: its IPs and their states, by blocks that open into smaller blocks. */
export function AddressMap({ datacenter, network }: AddressMapProps) {
  const say = useTranslations('nat.map')
  const label = useTranslations('labels')
  const { block, isTable, open, setTable } = useMapPlace()
  const place = { datacenter, network: network.id, block }
  const map = useQuery({ ...addressMapQuery(place), placeholderData: keepPreviousData })
  const isPast = useIsPast()
  const { isOn, client } = useComparing()
  const present = useQuery(
    {
      ...addressMapQuery({ ...place, block: map.data?.block }),
      enabled: isOn && map.isSuccess,
      retry: false,
    },
    client,
  )
  // Faults take seconds in networks with many rules, so the map does not wait for them.
  const faulty = useQuery({
    ...addressMapQuery(place, true),
    enabled: map.isSuccess && !map.isPlaceholderData && !isPast,
  })
  return (
    <Card
      title={label('addressMap')}
      about={say('about')}
      actions={
        <Segments
          label={say('shownAs')}
          value={isTable ? 'table' : 'map'}
          choices={[
            { value: 'map', text: say('asMap') },
            { value: 'table', text: say('asTable') },
          ]}
          onChange={(look) => setTable(look === 'table')}
        />
      }
    >
      {map.isError ? (
        <Stack>
          <Failure error={map.error} retry={() => void map.refetch()} />
          {block !== undefined && <Button onPress={() => open(undefined)}>{say('whole')}</Button>}
        </Stack>
      ) : (
        <Loaded
          map={map.data && withFaults(map.data, faulty.data)}
          present={isOn ? present.data : undefined}
          isStale={map.isPlaceholderData}
          datacenter={datacenter}
          network={network}
        />
      )}
    </Card>
  )
}

type LoadedProps = AddressMapProps & {
  map: AddressMapDocument | undefined
  /** The same block as it is now, if the two are compared. */
  present: AddressMapDocument | undefined
  isStale: boolean
}

function Loaded({ map, present, isStale, datacenter, network }: LoadedProps) {
  const { isTable, open } = useMapPlace()
  const [adding, setAdding] = useState<string>()
  const [came, setCame] = useState<{ from: string | undefined }>()
  const { open: openIp, show: showIp, close } = useOpenIp()
  const mayAdd = useMay(...access.changeNatNetworks)
  if (!map) return <Spinner />
  const blocks = blocksAround(network.cidr, map.block)
  const cells = present?.block === map.block ? withNow(cellsOf(map), present) : cellsOf(map)

  const openCell = (cell: MapCell) => {
    if (!cell.isAddress) {
      setCame({ from: undefined })
      open(cell.cidr)
    } else if (cell.held?.id !== undefined) showIp({ network: network.id, id: cell.held.id })
    else if (mayAdd) setAdding(addressOf(cell.cidr))
  }
  const leave = () => {
    const outer = blocks.at(-2)
    if (outer === undefined) return
    setCame({ from: map.block })
    open(outer)
  }
  return (
    <Stack>
      <MapCrumbs blocks={blocks} />
      {present && <CountOfMarks count={cells.filter(({ now }) => now).length} />}
      <div className={isStale ? styles.stale : ''} aria-busy={isStale}>
        {isTable ? (
          <MapTable label={map.block} cells={cells} onOpen={openCell} />
        ) : (
          <Drawn key={map.block} {...{ map, cells, came, mayAdd }} onOpen={openCell} onLeave={leave} />
        )}
      </div>
      {adding !== undefined && (
        <AddIps
          datacenter={datacenter}
          network={network}
          first={adding}
          onClose={() => setAdding(undefined)}
        />
      )}
      {openIp && <IpDetails datacenter={datacenter} place={openIp} onClose={close} />}
    </Stack>
  )
}

type DrawnProps = {
  map: AddressMapDocument
  cells: readonly MapCell[]
  /** Present if the user opened this block in the map; `from` is the inner block that they left. */
  came: { from: string | undefined } | undefined
  mayAdd: boolean
  onOpen: (cell: MapCell) => void
  onLeave: () => void
}

function Drawn({ map, cells, came, mayAdd, onOpen, onLeave }: DrawnProps) {
  const say = useTranslations('nat.map')
  const wordsOf = useCellWords()
  const checkPath = useSearchPath()({ tab: 'check', block: undefined })
  const columns = Math.min(useIsNarrow() ? 8 : 16, cells.length)
  const [pointed, setPointed] = useState<MapCell>()
  const shown = pointed && cells.find(({ cidr }) => cidr === pointed.cidr)
  const from = came?.from === undefined ? -1 : cellHolding(cells, came.from)
  const firstHeld = cells.findIndex(({ held }) => held)
  return (
    <div className={styles.layout}>
      <MapGrid
        label={say('gridOf', { block: map.block })}
        cells={cells}
        columns={columns}
        start={Math.max(from, firstHeld, 0)}
        takesFocus={came !== undefined}
        wordsOf={wordsOf}
        onOpen={onOpen}
        onLeave={onLeave}
        onPoint={setPointed}
      />
      <div className={styles.side}>
        <div className={styles.current} aria-hidden="true">
          <div>{shown ? wordsOf(shown) : say('hint')}</div>
          {shown && <div className="quiet">{nextStep(say, shown, mayAdd)}</div>}
        </div>
        <MapLegend />
        {cells.some(hasFault) && <AppLink to={checkPath}>{say('toCheck')}</AppLink>}
        {!cells[0]?.isAddress && <div className="quiet">{say('blocksHow')}</div>}
        <div className="quiet">{say('keys')}</div>
      </div>
    </div>
  )
}

/** The effect of Enter or of a click. */
function nextStep(say: Say<'nat.map'>, cell: MapCell, mayAdd: boolean): string {
  if (!cell.isAddress) return say('toZoom')
  if (cell.held) return say('toOpen')
  return mayAdd ? say('toAdd') : ''
}

function MapLegend() {
  const say = useTranslations('nat.states')
  const sayMap = useTranslations('nat.map')
  const sayNow = useTranslations('layout.asOf.since')
  const { isOn } = useComparing()
  const known = useKnownState()
  return (
    <ul className={styles.legend} aria-label={sayMap('legend')}>
      {cellStates.map((state) => (
        <li key={state}>
          <span className={`${styles.swatch} ${styles[state]}`} aria-hidden="true" />
          {say(known(state))}
        </li>
      ))}
      <li>
        <span className={`${styles.swatch} ${styles.marked}`} aria-hidden="true" />
        {sayMap('mark')}
      </li>
      {isOn && (
        <li>
          <span className={`${styles.swatch} ${styles.changed}`} aria-hidden="true" />
          {sayNow('changed')}
        </li>
      )}
    </ul>
  )
}

/** The block and the form of the map, from the URL. */
function useMapPlace() {
  const [search] = useSearchParams()
  const pathWith = useSearchPath()
  const change = useSearchChange()
  return {
    block: search.get('block') ?? undefined,
    isTable: search.get('view') === 'table',
    pathOf: (block: string) => pathWith({ block }),
    open: (block: string | undefined) => change({ block }),
    setTable: (isTable: boolean) => change({ view: isTable ? 'table' : undefined }),
  }
}

/** Links to the blocks around the current one. */
function MapCrumbs({ blocks }: { blocks: readonly string[] }) {
  const say = useTranslations('nat.map')
  const { pathOf } = useMapPlace()
  return (
    <nav aria-label={say('way')}>
      <ol className={styles.crumbs}>
        {blocks.map((block, index) => (
          <li key={block}>
            {index === blocks.length - 1 ? (
              <strong aria-current="location">
                <Address>{block}</Address>
              </strong>
            ) : (
              <AppLink to={pathOf(block)}>
                <Address>{block}</Address>
              </AppLink>
            )}
          </li>
        ))}
      </ol>
    </nav>
  )
}
