import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import { useFormatter, useTranslations } from 'use-intl'
import { access } from '#components/base/screens/access'
import { AppButton, AppLink } from '#components/base/screens/app-link'
import { paths } from '#components/base/screens/paths'
import { useMay } from '#components/base/session/session'
import { firstDatacenters, percentOf } from '#components/cloud/nat/nat-use'
import { useWithOthers } from '#components/cloud/nat/use-bar'
import { deferred } from '#components/kit/deferred'
import { Card } from '#components/kit/layout'
import { Segments } from '#components/kit/segments'
import { SimpleTable } from '#components/kit/simple-table'
import { datacentersQuery } from '#lib/cloud/infrastructure/datacenters.queries'
import type { DatacenterDocument } from '#lib/cloud/infrastructure/datacenters.schema'
import { natUseQuery } from '#lib/cloud/nat/networks.queries'
import type { NatUseDocument } from '#lib/cloud/nat/networks.schema'
import type { Collection } from '#lib/ground/http/view'
import styles from './home.module.css'
import { ListCard, Loading } from './list-card'
import { NetworksCard } from './networks-card'
import { useFirstStepsChoice, useMayBegin } from './use-first-steps'

const UseChart = deferred(async () => (await import('./use-chart')).UseChart)

type List<Item> = { list: UseQueryResult<Collection<Item>> }

/** The first datacenters and the use of their NAT networks, as a chart or a table. */
function UseCard({ list }: List<NatUseDocument>) {
  const say = useTranslations('home.datacenters')
  const [look, choose] = useLook()
  const others = useWithOthers()
  return (
    <Datacenters
      list={list}
      about={[say('description'), others].filter(Boolean).join(' ')}
      actions={
        <Segments
          label={say('look')}
          value={look}
          choices={looks.map((id) => ({ value: id, text: say(id) }))}
          onChange={choose}
        />
      }
    >
      {(uses) =>
        look === 'table' ? (
          <UseTable uses={uses} />
        ) : (
          <UseChart waiting={<Loading label={say('loading')} height={260} />} uses={uses} />
        )
      }
    </Datacenters>
  )
}

/** The first datacenters, for users who may not see their NAT networks. */
const NamesCard = ({ list }: List<DatacenterDocument>) => (
  <Datacenters list={list}>
    {(datacenters) => (
      <ul className={styles.names}>
        {datacenters.map(({ id, name, location }) => (
          <li key={id}>
            <AppLink to={paths.datacenter(id)}>{name}</AppLink>{' '}
            <span className={styles.quiet}>{location}</span>
          </li>
        ))}
      </ul>
    )}
  </Datacenters>
)

type DatacentersProps<Item> = List<Item> & {
  about?: string
  actions?: ReactNode
  children: (items: readonly Item[]) => ReactNode
}

function Datacenters<Item>({ list, ...card }: DatacentersProps<Item>) {
  const say = useTranslations('home.datacenters')
  const label = useTranslations('labels')
  const format = useFormatter()
  const { data } = list
  const isPart = data && data.totalSize > data.collection.length
  return (
    <ListCard
      {...card}
      list={list}
      title={label('datacenters')}
      counter={data ? `(${format.number(data.totalSize)})` : undefined}
      footer={isPart && <AppLink to={paths.datacenters()}>{say('all', { count: data.totalSize })}</AppLink>}
      loading={{ label: say('loading'), height: 260 }}
    />
  )
}

const looks = ['chart', 'table'] as const

function useLook() {
  const [search, setSearch] = useSearchParams()
  const look = looks.find((name) => name === search.get('use')) ?? 'chart'
  const choose = (chosen: string) =>
    setSearch(chosen === 'chart' ? {} : { use: chosen }, { replace: true, preventScrollReset: true })
  return [look, choose] as const
}

/** The figures of the chart as a table. */
function UseTable({ uses }: { uses: readonly NatUseDocument[] }) {
  const say = useTranslations('home.datacenters')
  const label = useTranslations('labels')
  const format = useFormatter()
  const count = (header: string, of: (row: NatUseDocument) => number | undefined) => ({
    id: header,
    header,
    isNumber: true,
    cell: (row: NatUseDocument) => {
      const shown = of(row)
      return shown !== undefined && format.number(shown)
    },
  })
  return (
    <SimpleTable
      label={say('tableLabel')}
      rows={uses}
      keyOf={({ id }) => id}
      columns={[
        {
          id: 'datacenter',
          header: say('datacenter'),
          isRowHeader: true,
          cell: ({ id, name }) => <AppLink to={paths.datacenter(id)}>{name}</AppLink>,
        },
        {
          id: 'networks',
          header: label('natNetworks'),
          isNumber: true,
          cell: ({ id, networks }) => <AppLink to={paths.natNetworks(id)}>{format.number(networks)}</AppLink>,
        },
        count(say('used'), ({ usedIps }) => usedIps),
        count(say('assignable'), ({ assignable }) => assignable),
        {
          id: 'share',
          header: say('share'),
          isNumber: true,
          cell: (use) =>
            use.assignable === undefined ? '' : format.number(percentOf(use) / 100, { style: 'percent' }),
        },
        count(label('rules'), ({ rules }) => rules),
      ]}
    />
  )
}

/** The datacenters with the use of their visible NAT networks. */
export const NatCards = () => (useMay(...access.natNetworks) ? <Uses /> : <Names />)

function Uses() {
  const list = useQuery(natUseQuery(firstDatacenters))
  if (list.data?.totalSize === 0) return <NoDatacenter />
  return (
    <>
      <NetworksCard />
      <UseCard list={list} />
    </>
  )
}

function Names() {
  const list = useQuery(datacentersQuery(firstDatacenters))
  return list.data?.totalSize === 0 ? <NoDatacenter /> : <NamesCard list={list} />
}

/** An installation without a datacenter, or a scope without any. The first steps have the details. */
function NoDatacenter() {
  const mayCreate = useMay('PHYS_DC_MANAGE')
  const [firstSteps] = useFirstStepsChoice()
  const mayBegin = useMayBegin()
  const say = useTranslations('home.noDatacenter')
  const sayNew = useTranslations('datacenters.form')
  if (mayBegin && firstSteps !== 'closed') return null
  return (
    <Card title={say(mayCreate ? 'none' : 'unseen')}>
      {mayCreate ? (
        <AppButton to={paths.datacenters()}>{sayNew('createTitle')}</AppButton>
      ) : (
        <div className="quiet">{say('ask')}</div>
      )}
    </Card>
  )
}
