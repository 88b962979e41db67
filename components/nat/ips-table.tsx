import Button from '@cloudscape-design/components/button'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { access } from '#components/access'
import { useNeeds } from '#components/forms/reasons'
import { useMay } from '#components/session/session'
import { csvHref } from '#components/table/csv-link'
import { useSelection } from '#components/table/selection'
import { ServerTable } from '#components/table/server-table'
import { natIpsPath } from '#lib/nat/ip-changes.queries'
import type { NatIpDocument } from '#lib/nat/ips.schema'
import type { NatNetworkDocument } from '#lib/nat/networks.schema'
import { AddIps } from './add-ips'
import { GoToAddress, PlaceOfAddress } from './go-to-address'
import { ipColumns } from './ip-columns'
import { IpDialog } from './ip-dialog'
import { useIpTokens } from './ip-tokens'
import { useOpenIp } from './open-ip'
import { useGoTo } from './use-go-to'
import { ipMenuColumn, useIpActions, useIpBulk } from './use-ip-actions'
import { useIpList } from './use-ip-list'

type IpsTableProps = {
  datacenter: number
  /** Without it: the IPs of all networks of the datacenter. */
  network?: NatNetworkDocument
}

/** NAT IPs, of one network or of a whole datacenter. */
export function IpsTable({ datacenter, network }: IpsTableProps) {
  const say = useTranslations('nat.ips')
  const mayChange = useMay(...access.changeNatNetworks)
  const { table, list, query, filters } = useIpList(datacenter, network?.id)
  const tokens = useIpTokens(datacenter, { withNetwork: !network })
  const goTo = useGoTo({ datacenter, table, filters, prefix: network ? 'ips.' : '' })
  const { open, pathOf, close } = useOpenIp()
  const actions = useIpActions(datacenter)
  const bulk = useIpBulk(datacenter)
  const selection = useSelection((ip: NatIpDocument) => ip.ip)
  const [adding, setAdding] = useState<{ ip: string }>()
  const columns = ipColumns({ say, datacenter, withNetwork: !network, marked: goTo.at, pathOf })
  const menu = ipMenuColumn({ header: say('actions'), menuOf: (ip) => say('menuOf', { ip }) }, actions)
  const add = <AddButton onClick={() => setAdding({ ip: '' })} />
  return (
    <>
      <ServerTable
        title={say('list')}
        table={table}
        list={list}
        columns={mayChange ? [...columns, menu] : columns}
        tokens={tokens}
        filterLabel={say('find')}
        filters={
          <>
            <GoToAddress goTo={goTo} />
            <PlaceOfAddress
              goTo={goTo}
              table={table}
              rows={list.data?.collection ?? []}
              onAdd={mayChange ? (ip) => setAdding({ ip }) : undefined}
            />
          </>
        }
        csv={csvHref(natIpsPath(datacenter, network?.id), query)}
        actions={add}
        {...(mayChange && { selection, bulk })}
        empty={{ title: say('empty'), hint: say('emptyHint'), action: add }}
      />
      {actions.dialog}
      {adding && (
        <AddIps
          datacenter={datacenter}
          network={network}
          first={adding.ip}
          onShow={goTo.go}
          onClose={() => setAdding(undefined)}
        />
      )}
      {open && <IpDialog datacenter={datacenter} place={open} onClose={close} />}
    </>
  )
}

function AddButton({ onClick }: { onClick: () => void }) {
  const say = useTranslations('nat.ips')
  const needs = useNeeds()
  const mayChange = useMay(...access.changeNatNetworks)
  return (
    <Button
      variant="primary"
      disabled={!mayChange}
      disabledReason={needs('PHYS_DC_ALLOW_MODIFY_NETWORK')}
      onClick={onClick}
    >
      {say('add')}
    </Button>
  )
}
