import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import Skeleton from '@cloudscape-design/components/skeleton'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useQuery } from '@tanstack/react-query'
import { AppLink, useFollow } from '#components/layout/app-link'
import { Failure } from '#components/layout/failure'
import { useMay } from '#components/layout/session'
import { paths } from '#components/paths'
import { datacentersQuery } from '#lib/infrastructure/datacenters.queries'
import { DatacenterUse } from './datacenter-use'
import styles from './home.module.css'

/** Each shown datacenter costs one request more. */
const shown = 6

const description = 'NAT IPs in use, over all networks of each datacenter'

/** The first datacenters, and how full their NAT networks are. */
export function DatacentersCard() {
  const { data, error, refetch } = useQuery(datacentersQuery({ limit: shown, by: 'name' }))
  const more = data && data.totalSize > shown
  return (
    <Container
      header={
        <Header
          variant="h2"
          {...(data && data.totalSize > 0 && { counter: `(${data.totalSize})`, description })}
        >
          Datacenters
        </Header>
      }
      footer={more && <AppLink to={paths.datacenters()}>{`All ${data.totalSize} datacenters`}</AppLink>}
    >
      {error && !data && <Failure error={error} retry={refetch} />}
      {!error && !data && <Loading />}
      {data?.totalSize === 0 && <NoDatacenters />}
      {data && data.totalSize > 0 && (
        <ul className={styles.datacenters}>
          {data.collection.map((datacenter) => (
            <DatacenterUse key={datacenter.id} datacenter={datacenter} />
          ))}
        </ul>
      )}
    </Container>
  )
}

const Loading = () => (
  <div role="status" aria-label="Loading the datacenters">
    <SpaceBetween size="m">
      <Skeleton height="52px" />
      <Skeleton height="52px" />
      <Skeleton height="52px" />
    </SpaceBetween>
  </div>
)

function NoDatacenters() {
  const mayManage = useMay('PHYS_DC_MANAGE')
  const follow = useFollow()
  if (!mayManage) {
    return (
      <Box color="text-body-secondary">
        Your scope opens no datacenter. Ask an administrator to add one to it.
      </Box>
    )
  }
  return (
    <SpaceBetween size="m">
      <Box variant="p">Nothing is here yet. These are the first steps:</Box>
      <ol className={styles.steps}>
        <li>
          <strong>Create a datacenter.</strong> It stands for a place with racks and network devices.
        </li>
        <li>
          <strong>Add NAT networks to it.</strong> Each is a range of public addresses on one of its devices.
        </li>
        <li>
          <strong>Draw scopes.</strong> They decide which enterprises and datacenters an administrator sees.
        </li>
      </ol>
      <Button variant="primary" href={paths.datacenters()} onFollow={follow}>
        Create a datacenter
      </Button>
    </SpaceBetween>
  )
}
