import { useTranslations } from 'use-intl'
import { ScreenLink } from '#components/base/session/screen-link'
import { Mark, type MarkKind } from '#components/table/cells'
import { noteColumns } from '#components/table/notes'
import { idColumn, type TableColumn } from '#components/table/table-columns'
import { nameOfMachine, type VirtualMachineDocument } from '#lib/cloud/machines/machines.schema'
import { linkOf } from '#lib/ground/http/view'

const kinds: Partial<Record<VirtualMachineDocument['state'], MarkKind>> = {
  ON: 'good',
  PAUSED: 'warning',
  LOCKED: 'warning',
  UNKNOWN: 'unknown',
}

export function MachineMark({ state }: Pick<VirtualMachineDocument, 'state'>) {
  const say = useTranslations('inventory.states')
  return <Mark kind={kinds[state] ?? 'off'}>{say(state)}</Mark>
}

type Place = 'virtualappliance' | 'virtualdatacenter' | 'location' | 'enterprise' | 'user'

const placeColumn = (rel: Place, hidden = false): TableColumn<VirtualMachineDocument> => ({
  id: rel === 'location' ? 'datacenter' : rel,
  hidden,
  cell: (machine) => <ScreenLink link={linkOf(machine, rel)} />,
})

/** The columns of a list of virtual machines. Each name leads to its screen. */
export const machineColumns = (...places: readonly Place[]): TableColumn<VirtualMachineDocument>[] => [
  {
    id: 'name',
    by: 'name',
    isRowHeader: true,
    cell: (machine) => <ScreenLink link={linkOf(machine, 'edit')}>{nameOfMachine(machine)}</ScreenLink>,
  },
  { id: 'state', cell: ({ state }) => <MachineMark state={state} /> },
  ...places.map((rel) => placeColumn(rel, rel === 'user')),
  {
    id: 'privateips',
    cell: ({ links }) =>
      links
        .filter(({ rel }) => /^nic\d+$/.test(rel))
        .map(({ title }) => title)
        .join(', ') || '–',
  },
  { id: 'rules', isNumber: true, cell: ({ natrules }) => natrules.length },
  ...noteColumns,
  idColumn,
]
