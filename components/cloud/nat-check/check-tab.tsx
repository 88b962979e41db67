import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useNeeds } from '#components/base/forms/reasons'
import { useMay } from '#components/base/session/session'
import { Button } from '#components/kit/button'
import { Segments } from '#components/kit/segments'
import { Tool } from '#components/kit/tool'
import { csvHref } from '#components/table/csv-link'
import { ServerTable } from '#components/table/server-table'
import { useList } from '#components/table/use-list'
import { useTableState } from '#components/table/use-table-state'
import {
  type CheckPlace,
  findingsCsv,
  natFindingCountsQuery,
  natFindingRowsQuery,
} from '#lib/cloud/nat/check.queries'
import { type NatFindingCode, natFindingCodes, natSeverities } from '#lib/cloud/nat/check.schema'
import { natChanged } from '#lib/cloud/nat/networks.queries'
import { useFindingColumns } from './finding-columns'
import { fixOfCode, privilegeOf } from './finding-words'
import { MendDialog } from './mend-dialog'
import { PacketDialog } from './packet-dialog'
import { useFindingTokens } from './use-finding-tokens'

const spec = {
  name: 'natfindings',
  prefix: 'check',
  by: 'severity',
  orders: ['severity', 'code'],
  filters: { severity: natSeverities, code: natFindingCodes, network: 'id', setaside: ['true'] },
  widening: [],
} as const

/** The findings in a datacenter's NAT, or in one network, with their fixes, and the path of a packet. */
export function CheckTab({ place }: { place: CheckPlace }) {
  const say = useTranslations('natCheck')
  const table = useTableState(spec)
  const list = useList(table, (startwith) => natFindingRowsQuery(place, { ...table.query, startwith }))
  const { columns, dialogs } = useFindingColumns(place)
  const isNetwork = place.network !== undefined
  return (
    <>
      <ServerTable
        title={say('tab')}
        description={say(isNetwork ? 'aboutNetwork' : 'about')}
        table={table}
        list={list}
        columns={columns}
        tokens={useFindingTokens(place)}
        filterLabel={say('find')}
        chips={<Chips place={place} table={table} />}
        csv={csvHref(findingsCsv(place), { ...table.query, ...(isNetwork && { network: place.network }) })}
        actions={<Actions place={place} code={table.filters.code} busy={list.isFetching} />}
        empty={{ title: say(isNetwork ? 'soundNetwork' : 'sound'), hint: say('soundHint') }}
      />
      {dialogs}
    </>
  )
}

type Table = ReturnType<typeof useTableState<keyof typeof spec.filters>>

/** Findings, or those that are set aside, with their numbers. */
function Chips({ place, table }: { place: CheckPlace; table: Pick<Table, 'filters' | 'has' | 'setSearch'> }) {
  const say = useTranslations('natCheck')
  const { data } = useQuery(natFindingCountsQuery(place))
  const { setaside, ...others } = table.filters
  return (
    <>
      <Segments
        label={say('shown.label')}
        value={setaside === 'true' ? 'aside' : 'open'}
        choices={(['open', 'aside'] as const).map((value) => ({
          value,
          text: say(`shown.${value}`, {
            count: data ? (value === 'aside' ? data.setAside : data.error + data.warning + data.info) : 0,
          }),
        }))}
        onChange={(next) =>
          table.setSearch(table.has, next === 'aside' ? { ...others, setaside: 'true' } : others)
        }
      />
      {data && <span className="quiet">{say('totals', data)}</span>}
    </>
  )
}

type ActionsProps = { place: CheckPlace; code: string | undefined; busy: boolean }

/** All findings of the chosen code are fixed together. */
function Actions({ place, code, busy }: ActionsProps) {
  const say = useTranslations('natCheck')
  const client = useQueryClient()
  const [dialog, open] = useState<'packet' | 'mend'>()
  const chosen = natFindingCodes.find((each) => each === code)
  const close = () => open(undefined)
  return (
    <>
      {chosen && <MendAll code={chosen} onPress={() => open('mend')} />}
      <Button onPress={() => open('packet')}>{say('packet.open')}</Button>
      <Button
        busy={busy}
        busyText={say('checking')}
        onPress={() => void natChanged(client, place.datacenter)}
      >
        {say('again')}
      </Button>
      {dialog === 'packet' && <PacketDialog datacenter={place.datacenter} onClose={close} />}
      {dialog === 'mend' && chosen && <MendDialog place={place} of={{ code: chosen }} onClose={close} />}
    </>
  )
}

function MendAll({ code, onPress }: { code: NatFindingCode; onPress: () => void }) {
  const say = useTranslations('natCheck')
  const needs = useNeeds()
  const kind = fixOfCode[code]
  const privilege = kind ? privilegeOf[kind] : 'PHYS_DC_RETRIEVE_DETAILS'
  const may = useMay(privilege)
  return (
    kind && (
      <Tool refused={may ? undefined : needs(privilege)} onPress={onPress}>
        {say('mendAll')}
      </Tool>
    )
  )
}
