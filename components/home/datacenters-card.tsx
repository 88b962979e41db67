import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import SegmentedControl from '@cloudscape-design/components/segmented-control'
import Skeleton from '@cloudscape-design/components/skeleton'
import type { UseQueryResult } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense } from 'react'
import { useSearchParams } from 'react-router'
import { useFormatter, useTranslations } from 'use-intl'
import { Failure } from '#components/forms/failure'
import { AppLink } from '#components/screens/app-link'
import { paths } from '#components/screens/paths'
import type { Collection } from '#lib/http/view'
import type { DatacenterDocument } from '#lib/infrastructure/datacenters.schema'
import type { NatUseDocument } from '#lib/nat/networks.schema'
import styles from './home.module.css'
import { UseTable } from './use-table'

const UseChart = lazy(async () => ({ default: (await import('./use-chart')).UseChart }))

type List<Item> = { list: UseQueryResult<Collection<Item>> }

/** The first datacenters, and how full their NAT networks are: as bars, or in figures. */
export function UseCard({ list }: List<NatUseDocument>) {
  const say = useTranslations('home.datacenters')
  const [look, choose] = useLook()
  return (
    <Card
      list={list}
      description={say('description')}
      actions={
        <SegmentedControl
          label={say('look')}
          selectedId={look}
          options={looks.map((id) => ({ id, text: say(id) }))}
          onChange={({ detail }) => choose(detail.selectedId)}
        />
      }
    >
      {(uses) =>
        look === 'table' ? (
          <UseTable uses={uses} />
        ) : (
          <Suspense fallback={<Loading />}>
            <UseChart uses={uses} />
          </Suspense>
        )
      }
    </Card>
  )
}

/** The first datacenters, for who may not see their NAT networks. */
export const NamesCard = ({ list }: List<DatacenterDocument>) => (
  <Card list={list}>
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
  </Card>
)

type CardProps<Item> = List<Item> & {
  description?: string
  actions?: ReactNode
  children: (items: readonly Item[]) => ReactNode
}

function Card<Item>({ list: { data, error, refetch }, description, actions, children }: CardProps<Item>) {
  const say = useTranslations('home.datacenters')
  const format = useFormatter()
  const isPart = data && data.totalSize > data.collection.length
  return (
    <Container
      header={
        <Header
          variant="h2"
          description={description}
          actions={actions}
          {...(data && { counter: `(${format.number(data.totalSize)})` })}
        >
          {say('title')}
        </Header>
      }
      footer={isPart && <AppLink to={paths.datacenters()}>{say('all', { count: data.totalSize })}</AppLink>}
    >
      {error && !data && <Failure error={error} retry={() => void refetch()} />}
      {!error && !data && <Loading />}
      {data && children(data.collection)}
    </Container>
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

function Loading() {
  const say = useTranslations('home.datacenters')
  return (
    <div role="status" aria-label={say('loading')}>
      <Skeleton height="260px" />
    </div>
  )
}
