import { useTranslations } from 'use-intl'
import { Button } from '#components/kit/button'
import { type SimpleColumn, SimpleTable } from '#components/kit/simple-table'
import type { AddressCell } from '#lib/cloud/nat/networks.schema'
import { useFaultWords, useKnownState, useStateWords } from './cell-words'
import { Address, Count } from './cells'
import { addressOf, addressState, hasFault, type MapCell } from './map-cells'

type MapTableProps = { label: string; cells: readonly MapCell[]; onOpen: (cell: MapCell) => void }

/** The map as a table of the cells with IPs. */
export function MapTable({ label, cells, onOpen }: MapTableProps) {
  const say = useTranslations('nat.map')
  const shown = cells.filter(({ held, now }) => held ?? now?.held)
  const faults = useFaultColumn()
  const now = useNowColumn()
  const columns = useColumns(cells[0]?.isAddress ?? true, onOpen)
  return (
    <SimpleTable
      label={label}
      rows={shown}
      keyOf={({ cidr }) => cidr}
      columns={[
        ...columns,
        ...(shown.some(hasFault) ? [faults] : []),
        ...(shown.some(({ now }) => now) ? [now] : []),
      ]}
      empty={say('empty')}
    />
  )
}

function useFaultColumn(): SimpleColumn<MapCell> {
  const say = useTranslations('nat.map')
  const wordsOf = useFaultWords()
  return { id: 'faults', header: say('faults'), cell: (cell) => wordsOf(cell).join('. ') || '–' }
}

function useNowColumn(): SimpleColumn<MapCell> {
  const say = useTranslations('layout.asOf.since')
  const stateOf = useStateWords()
  return { id: 'now', header: say('column'), cell: ({ now }) => (now ? stateOf(now) : '–') }
}

function useColumns(areAddresses: boolean, onOpen: (cell: MapCell) => void): SimpleColumn<MapCell>[] {
  const say = useTranslations('nat.map')
  const label = useTranslations('labels')
  const sayStates = useTranslations('nat.states')
  const known = useKnownState()
  const name: SimpleColumn<MapCell> = {
    id: 'cidr',
    header: say(areAddresses ? 'ip' : 'blockColumn'),
    isRowHeader: true,
    cell: (cell) => (
      <Button look="link" onPress={() => onOpen(cell)}>
        {cell.isAddress ? addressOf(cell.cidr) : cell.cidr}
      </Button>
    ),
  }
  if (areAddresses) {
    return [
      name,
      { id: 'state', header: label('state'), cell: (cell) => sayStates(known(addressState(cell))) },
      {
        id: 'center',
        header: label('virtualdatacenter'),
        cell: ({ held }) => held?.virtualDatacenter ?? '–',
      },
      { id: 'enterprise', header: label('enterprise'), cell: ({ held }) => held?.enterprise ?? '–' },
    ]
  }
  const count = (id: string, header: string, of: (held: AddressCell) => number) => ({
    id,
    header,
    isNumber: true,
    cell: ({ held }: MapCell) => <Address>{held ? <Count of={of(held)} /> : '–'}</Address>,
  })
  return [
    name,
    count('ips', label('ips'), ({ ips }) => ips),
    count('attached', sayStates('attached'), ({ attached }) => attached),
    count('unavailable', sayStates('unavailable'), ({ ips, available }) => ips - available),
    count('quarantine', sayStates('quarantine'), ({ quarantine }) => quarantine),
    count('defaultSnat', sayStates('default'), ({ defaultSnat }) => defaultSnat),
  ]
}
