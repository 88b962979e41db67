import { useState } from 'react'
import { useNavigate } from 'react-router'
import { useTranslations } from 'use-intl'
import { useDatacenterId } from '#components/base/forms/ids'
import { useNeeds } from '#components/base/forms/reasons'
import { RequiresPrivilege } from '#components/base/forms/why'
import { access } from '#components/base/screens/access'
import { AppLink } from '#components/base/screens/app-link'
import { paths } from '#components/base/screens/paths'
import { ScreenLink } from '#components/base/session/screen-link'
import { useMay } from '#components/base/session/session'
import { Page } from '#components/frame/layout/page'
import { deferred } from '#components/kit/deferred'
import { deferredOver } from '#components/kit/deferred-over'
import { Tool } from '#components/kit/tool'
import { useSelection } from '#components/table/bulk'
import { CellBadge } from '#components/table/cells'
import { csvHref } from '#components/table/csv-link'
import { Ends } from '#components/table/ends'
import type { RequestedTable } from '#components/table/list-loader'
import { noteColumns } from '#components/table/notes'
import { useRowMenu } from '#components/table/row-menu'
import { ServerTable } from '#components/table/server-table'
import { idColumn, type TableColumn } from '#components/table/table-columns'
import { useTabPrefix } from '#components/table/table-tabs'
import type { TableSpec } from '#components/table/table-url'
import { useList } from '#components/table/use-list'
import { useTableState } from '#components/table/use-table-state'
import { natIpsPath, natIpsQuery } from '#lib/cloud/nat/ips.queries'
import { allNatIpOrders, type NatIpDocument, natIpOrders, natIpStates } from '#lib/cloud/nat/ips.schema'
import type { NatNetworkDocument } from '#lib/cloud/nat/networks.schema'
import { linkOf } from '#lib/ground/http/view'
import type { AskedCall } from '#lib/request/access/access.queries'
import type { Say } from '#lib/words/words'
import { Address, Count, datacenterColumn, StateOfIp } from './cells'
import { GoToAddress, PlaceOfAddress, useGoTo } from './go-to-address'
import { useIpActions, useIpBulk } from './ip-actions'
import styles from './nat.module.css'
import { type OpenIp, openIpOf, rulesOfIp, useOpenIp } from './open-ip'
import { StateChips } from './state-chips'
import { useIpTokens } from './tokens'
import {
  datacenterOf,
  type NatPlace,
  natListLoader,
  useBulkFilter,
  useDatacenter,
  useOneDatacenter,
} from './use-datacenter'

const AddIps = deferredOver(async () => (await import('./add-ips')).AddIps)
const IpDetails = deferred(async () => (await import('./ip-details')).IpDetails)

const filters = {
  ip: 'text',
  address: 'address',
  within: 'range',
  rules: 'bound',
  changed: 'change',
  endsbefore: 'moment',
  tag: 'text',
  state: natIpStates,
  snatdefault: ['true'],
  datacenter: 'id',
  network: 'id',
  enterprise: 'id',
  virtualdatacenter: 'id',
} as const

type Filter = keyof typeof filters

/** `prefix` in a tab. */
const ipListSpec = ({ datacenter, network }: NatPlace, prefix?: string): TableSpec<Filter> => ({
  name: network !== undefined ? 'network-ips' : datacenter === undefined ? 'all-nat-ips' : 'nat-ips',
  ...(prefix && { prefix }),
  by: 'ip',
  orders: datacenter === undefined ? allNatIpOrders : natIpOrders,
  filters: {
    ...filters,
    datacenter: datacenter === undefined ? filters.datacenter : [],
    network: network === undefined ? filters.network : [],
  },
})

/** The query of the API. `all` includes unavailable IPs, unless a filter excludes them. */
function ipListQuery(table: RequestedTable<Filter>) {
  const { startwith, limit, by, asc, ip, has, ...narrowed } = {
    ip: undefined,
    ...table.query,
    ...table.filters,
  }
  const filters = { ...narrowed, has: ip ?? has, all: true }
  return { filters, query: { startwith, limit, by, asc, ...filters } }
}

function useIpList(place: NatPlace, prefix: string | undefined) {
  const { datacenter, network } = place
  const table = useTableState(ipListSpec(place, prefix))
  const { filters, query } = ipListQuery(table)
  return {
    table: {
      ...table,
      // Free text searches for an address, like the filter by IP.
      setSearch: (text: string, chosen: Readonly<Partial<Record<string, string>>>, isTyping?: boolean) =>
        table.setSearch('', { ...chosen, ...(text !== '' && { ip: text }) }, isTyping),
    },
    query,
    /** The filters for the position of an address. */
    filters: { ...filters, ...(network !== undefined && { network }) },
    list: useList(table, (startwith) => natIpsQuery(datacenter, network, { ...query, startwith })),
  }
}

export const loader = natListLoader(
  (datacenter) => ipListSpec({ datacenter }),
  (datacenter, table) => natIpsQuery(datacenter, undefined, ipListQuery(table).query),
)

export function Component() {
  const say = useTranslations('nat')
  const datacenter = useDatacenterId()
  const { name, crumbs, natCrumbs } = useDatacenter(datacenter)
  const isAll = datacenter === undefined
  return (
    <Page
      isList
      title={say('ips.title')}
      description={isAll ? say('ips.aboutAll') : say('ips.about', { datacenter: name })}
      breadcrumbs={isAll ? crumbs : natCrumbs}
    >
      <IpsTable key={datacenter} datacenter={datacenter} />
    </Page>
  )
}

type IpsTableProps = {
  /** If absent, the table shows the IPs of all visible datacenters. */
  datacenter: number | undefined
  /** If absent, the table shows the IPs of all networks. */
  network?: NatNetworkDocument
}

export function IpsTable({ datacenter, network }: IpsTableProps) {
  const say = useTranslations('nat.ips')
  const label = useTranslations('labels')
  const mayChange = useMay(...access.changeNatNetworks)
  const prefix = useTabPrefix('ips')
  const { table, list, query, filters } = useIpList({ datacenter, network: network?.id }, prefix)
  const one = useOneDatacenter(datacenter, table.filters.datacenter)
  const tokens = useIpTokens(datacenter, { withNetwork: !network })
  const goTo = useGoTo({ datacenter, network, table, filters, prefix: prefix ? `${prefix}.` : '' })
  const { open, pathOf, show, close } = useOpenIp()
  const openOf = (ip: NatIpDocument): OpenIp =>
    datacenter === undefined ? openIpOf(ip) : { ...openIpOf(ip), datacenter: undefined }
  const actions = useIpActions(datacenter)
  const selection = useSelection((ip: NatIpDocument) => ip.ip, datacenterOf)
  const bulk = useIpBulk({ datacenter: one, selected: selection.selected })
  const [adding, setAdding] = useState<{ ip: string }>()
  const navigate = useNavigate()
  const onHistory = (ip: string) => void navigate(paths.address(ip))
  const columns = ipColumns({
    say,
    datacenter,
    withNetwork: !network,
    marked: goTo.at,
    pathOf: (ip) => pathOf(openOf(ip)),
  })
  const rowMenu = useRowMenu<NatIpDocument>({
    labelOf: ({ ip }) => say('menuOf', { ip }),
    actionsOf: (ip) => actions.actionsFor(ip, ip.rules),
  })
  const bulkFilter = useBulkFilter(filters, one)
  const add = (
    <AddButton
      call={one === undefined || !network ? undefined : { method: 'POST', path: natIpsPath(one, network.id) }}
      onClick={() => setAdding({ ip: '' })}
    />
  )
  return (
    <>
      <ServerTable
        entity="natip"
        title={label('ips')}
        table={table}
        list={list}
        columns={mayChange ? [...columns, rowMenu.column] : columns}
        tokens={tokens}
        filterLabel={say('find')}
        filters={<GoToAddress goTo={goTo} onHistory={onHistory} />}
        note={
          goTo.at !== undefined && (
            <PlaceOfAddress
              goTo={goTo}
              table={table}
              rows={list.data?.collection ?? []}
              onAdd={mayChange ? (ip) => setAdding({ ip }) : undefined}
              onHistory={onHistory}
            />
          )
        }
        chips={
          <StateChips
            datacenter={datacenter}
            network={network?.id}
            used={network?.usedIps}
            filters={filters}
            table={table}
          />
        }
        csv={csvHref(natIpsPath(datacenter, network?.id), query)}
        imports={datacenter === undefined ? 'natips' : undefined}
        actions={add}
        selection={mayChange ? selection : undefined}
        bulk={mayChange ? bulk : undefined}
        bulkFilter={mayChange ? bulkFilter : undefined}
        open={open?.id}
        onOpen={(ip) => show(openOf(ip))}
        panel={
          open && (
            <IpDetails
              key={open.id}
              datacenter={datacenter ?? open.datacenter ?? 0}
              place={open}
              isPanel
              onClose={close}
            />
          )
        }
        empty={{ title: say('empty'), hint: say('emptyHint'), action: add }}
      />
      {rowMenu.menu}
      {actions.dialog}
      {adding && (
        <AddIps
          datacenter={one}
          network={network}
          first={adding.ip}
          onShow={goTo.go}
          onClose={() => setAdding(undefined)}
        />
      )}
    </>
  )
}

function AddButton({ call, onClick }: { call: AskedCall | undefined; onClick: () => void }) {
  const say = useTranslations('nat.ips')
  const needs = useNeeds()
  const mayChange = useMay(...access.changeNatNetworks)
  return (
    <RequiresPrivilege missing={!mayChange && 'PHYS_DC_ALLOW_MODIFY_NETWORK'} call={call}>
      <Tool
        look="main"
        refused={!mayChange ? needs('PHYS_DC_ALLOW_MODIFY_NETWORK') : undefined}
        onPress={onClick}
        data-key="n"
      >
        {say('add')}
      </Tool>
    </RequiresPrivilege>
  )
}

type Column = TableColumn<NatIpDocument>

type ColumnOptions = {
  say: Say<'nat.ips'>
  datacenter: number | undefined
  withNetwork: boolean
  /** The address that the user went to. */
  marked: string | undefined
  pathOf: (ip: NatIpDocument) => string
}

function Ip({ ip, to, isMarked }: { ip: string; to: string; isMarked: boolean }) {
  const link = (
    <AppLink to={to}>
      <Address>{ip}</Address>
    </AppLink>
  )
  return isMarked ? <mark className={styles.mark}>{link}</mark> : link
}

const networkColumn: Column = {
  id: 'network',
  by: 'network',
  small: 'below',
  cell: (ip) => <ScreenLink link={linkOf(ip, 'natnetwork')}>{ip.networkName}</ScreenLink>,
}

const flagColumn = (say: Say<'nat.ips'>, id: 'available' | 'quarantine'): Column => ({
  id,
  header: say(id),
  by: id,
  hidden: true,
  cell: (ip) => say(ip[id] ? 'yes' : 'no'),
})

const ipColumns = (place: ColumnOptions): Column[] => {
  const { say, datacenter, withNetwork, marked, pathOf } = place
  return [
    {
      id: 'ip',
      header: say('ip'),
      by: 'ip',
      isRowHeader: true,
      small: 'first',
      cell: (ip) => <Ip ip={ip.ip} to={pathOf(ip)} isMarked={ip.ip === marked} />,
    },
    ...(withNetwork ? [networkColumn] : []),
    ...(datacenter === undefined ? [datacenterColumn] : []),
    { id: 'state', small: 'end', cell: (ip) => <StateOfIp ip={ip} /> },
    { id: 'ends', header: say('ends'), hidden: true, cell: ({ ends }) => <Ends ends={ends} /> },
    flagColumn(say, 'available'),
    flagColumn(say, 'quarantine'),
    {
      id: 'snat',
      hidden: datacenter === undefined,
      header: say('snat'),
      cell: ({ defaultSnat }) => (defaultSnat ? <CellBadge>{say('isDefault')}</CellBadge> : '–'),
    },
    {
      id: 'virtualdatacenter',
      by: 'virtualdatacenter',
      hidden: datacenter === undefined,
      cell: (ip) => <ScreenLink link={linkOf(ip, 'virtualdatacenter')} />,
    },
    {
      id: 'enterprise',
      by: 'enterprise',
      small: 'below',
      cell: (ip) => <ScreenLink link={linkOf(ip, 'enterprise')} />,
    },
    {
      id: 'version',
      header: say('version'),
      hidden: true,
      cell: ({ ipv6 }) => (ipv6 ? 'IPv6' : 'IPv4'),
    },
    ...noteColumns,
    idColumn,
    {
      id: 'rules',
      isNumber: true,
      cell: (ip) => (
        <AppLink
          to={rulesOfIp(datacenterOf(ip), openIpOf(ip))}
          label={say('rulesOf', { ip: ip.ip, count: ip.rules })}
        >
          <Count of={ip.rules} />
        </AppLink>
      ),
    },
  ]
}
