import Box from '@cloudscape-design/components/box'
import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import SegmentedControl from '@cloudscape-design/components/segmented-control'
import Skeleton from '@cloudscape-design/components/skeleton'
import type { UseQueryResult } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { useSearchParams } from 'react-router'
import { useFormatter, useTranslations } from 'use-intl'
import { access } from '#components/access'
import { AppLink } from '#components/layout/app-link'
import { Failure } from '#components/layout/failure'
import { useMay } from '#components/layout/session'
import { paths } from '#components/paths'
import type { Collection } from '#lib/http/view'
import type { DatacenterDocument } from '#lib/infrastructure/datacenters.schema'
import styles from './home.module.css'
import { countedNetworks } from './nat-use'
import { type DatacenterUse, useNatUse } from './use-nat-use'
import { UseTable } from './use-table'

const UseChart = lazy(async () => ({ default: (await import('./use-chart')).UseChart }))

/** The first datacenters, and how full their NAT networks are: as bars, or in figures. */
export function DatacentersCard({ list }: { list: UseQueryResult<Collection<DatacenterDocument>> }) {
  const say = useTranslations('home.datacenters')
  const maySeeUse = useMay(...access.natNetworks)
  const { data, error, refetch } = list
  const isPart = data && data.totalSize > data.collection.length
  return (
    <Container
      header={
        <Header
          variant="h2"
          description={maySeeUse && say('description')}
          actions={maySeeUse && <Look />}
          {...(data && { counter: `(${data.totalSize})` })}
        >
          {say('title')}
        </Header>
      }
      footer={isPart && <AppLink to={paths.datacenters()}>{say('all', { count: data.totalSize })}</AppLink>}
    >
      {error && !data && <Failure error={error} retry={() => void refetch()} />}
      {!error && !data && <Loading />}
      {data && (maySeeUse ? <Use datacenters={data.collection} /> : <Names datacenters={data.collection} />)}
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

function Look() {
  const say = useTranslations('home.datacenters')
  const [look, choose] = useLook()
  return (
    <SegmentedControl
      label={say('look')}
      selectedId={look}
      options={looks.map((id) => ({ id, text: say(id) }))}
      onChange={({ detail }) => choose(detail.selectedId)}
    />
  )
}

function Use({ datacenters }: { datacenters: readonly DatacenterDocument[] }) {
  const [look] = useLook()
  const { uses, error, retry } = useNatUse(datacenters)
  if (error) return <Failure error={error} retry={retry} />
  if (!uses) return <Loading />
  return (
    <>
      {look === 'table' ? (
        <UseTable uses={uses} />
      ) : (
        <Suspense fallback={<Loading />}>
          <UseChart uses={uses} />
        </Suspense>
      )}
      <CountedInPart uses={uses} />
    </>
  )
}

/** Says so where a datacenter has more networks than are read. */
function CountedInPart({ uses }: { uses: readonly DatacenterUse[] }) {
  const say = useTranslations('home.datacenters')
  const format = useFormatter()
  const names = uses.filter(({ use }) => use.counted < use.networks).map(({ datacenter }) => datacenter.name)
  if (names.length === 0) return null
  return (
    <Box color="text-body-secondary">
      {say('counted', { names: format.list(names), count: countedNetworks })}
    </Box>
  )
}

const Names = ({ datacenters }: { datacenters: readonly DatacenterDocument[] }) => (
  <ul className={styles.names}>
    {datacenters.map(({ id, name, location }) => (
      <li key={id}>
        <AppLink to={paths.datacenter(id)}>{name}</AppLink> <span className={styles.quiet}>{location}</span>
      </li>
    ))}
  </ul>
)

function Loading() {
  const say = useTranslations('home.datacenters')
  return (
    <div role="status" aria-label={say('loading')}>
      <Skeleton height="260px" />
    </div>
  )
}
