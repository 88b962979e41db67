import Container from '@cloudscape-design/components/container'
import Spinner from '@cloudscape-design/components/spinner'
import { useTranslations } from 'use-intl'
import { Failure } from '#components/forms/failure'
import { useIds } from '#components/forms/ids'
import { Page } from '#components/layout/page'
import { paths } from '#components/paths'
import { useFresh } from '#lib/client/resources.queries'
import { natNetworkQuery } from '#lib/nat/networks.queries'
import { NetworkForm } from './network-form'
import { useDatacenter } from './use-datacenter'

const readable = 720

export function Component() {
  const { datacenter, network } = useIds()
  return network === 0 ? (
    <NewNetwork datacenter={datacenter} />
  ) : (
    <EditNetwork key={`${datacenter}/${network}`} datacenter={datacenter} network={network} />
  )
}

function NewNetwork({ datacenter }: { datacenter: number }) {
  const say = useTranslations('nat')
  const { name, crumbs } = useDatacenter(datacenter)
  return (
    <Page
      title={say('form.createTitle')}
      description={say('form.in', { datacenter: name })}
      breadcrumbs={[...crumbs, { text: say('networks.title'), href: paths.natNetworks(datacenter) }]}
      maxContentWidth={readable}
    >
      <NetworkForm datacenter={datacenter} />
    </Page>
  )
}

function EditNetwork({ datacenter, network }: { datacenter: number; network: number }) {
  const say = useTranslations('nat')
  const { crumbs } = useDatacenter(datacenter)
  const read = useFresh(natNetworkQuery(datacenter, network))
  const name = read.data?.document.name ?? say('network.numbered', { id: String(network) })
  return (
    <Page
      title={say('form.editTitle', { name })}
      breadcrumbs={[
        ...crumbs,
        { text: say('networks.title'), href: paths.natNetworks(datacenter) },
        { text: name, href: paths.natNetwork(datacenter, network) },
      ]}
      maxContentWidth={readable}
    >
      {read.data ? (
        <NetworkForm
          datacenter={datacenter}
          current={read.data}
          refresh={async () => (await read.refetch()).data}
        />
      ) : (
        <Container>
          {read.isError ? (
            <Failure error={read.error} retry={() => void read.refetch()} />
          ) : (
            <Spinner size="large" />
          )}
        </Container>
      )}
    </Page>
  )
}
