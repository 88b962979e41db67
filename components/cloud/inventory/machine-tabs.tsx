import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { ScreenLink } from '#components/base/session/screen-link'
import { useMay } from '#components/base/session/session'
import { AddressLink } from '#components/cloud/nat/cells'
import { RuleList } from '#components/cloud/nat/rule-list'
import { useTypeToken } from '#components/cloud/nat/tokens'
import { NotCompared } from '#components/frame/as-of/present'
import { Stack } from '#components/kit/layout'
import { SimpleTable } from '#components/kit/simple-table'
import { useList } from '#components/table/use-list'
import { useTableState } from '#components/table/use-table-state'
import { machineRulesQuery } from '#lib/cloud/machines/machines.queries'
import type { VirtualMachineDocument } from '#lib/cloud/machines/machines.schema'
import { defaultSnatQuery, pathOf } from '#lib/cloud/nat/ips.queries'
import type { NatIpDocument } from '#lib/cloud/nat/ips.schema'
import { natRuleOrders } from '#lib/cloud/nat/rules.schema'
import { idOfLink, type LinkDocument, linkOf } from '#lib/ground/http/view'

type OfMachine = { machine: VirtualMachineDocument }

/** The rules that lead to the machine and from it. */
export function RulesOfMachine({ machine }: OfMachine) {
  const say = useTranslations('inventory.machines')
  const table = useTableState({
    name: 'machine-rules',
    prefix: 'rules',
    by: 'ip',
    orders: natRuleOrders,
    filters: { snat: ['true', 'false'] },
  })
  const path = pathOf(linkOf(machine, 'edit'))
  const datacenter = idOfLink(linkOf(machine, 'location'))
  return (
    <RuleList
      place={{ datacenter }}
      one={datacenter}
      table={table}
      list={useList(table, (startwith) => machineRulesQuery(path, { ...table.query, startwith }))}
      tokens={[useTypeToken()]}
      ofMachine
      empty={say('notExposed')}
    />
  )
}

type Use = {
  href: string
  address: string
  network: LinkDocument | undefined
  rules: number
  isDefault: boolean
}

/** The NAT IPs of the machine's rules, and the default SNAT of its virtual datacenter. */
function usesOf({ natrules }: VirtualMachineDocument, ip: NatIpDocument | undefined): Use[] {
  const uses = new Map<string, Use>()
  for (const rule of natrules) {
    const link = linkOf(rule, rule.snat ? 'translated' : 'original')
    if (!link) continue
    const rules = (uses.get(link.href)?.rules ?? 0) + 1
    const network = linkOf(rule, 'natnetwork')
    uses.set(link.href, { href: link.href, address: link.title ?? '', network, rules, isDefault: false })
  }
  const self = ip && linkOf(ip, 'self')
  if (self) {
    const network = linkOf(ip, 'natnetwork')
    const own = uses.get(self.href) ?? { href: self.href, address: ip.ip, network, rules: 0 }
    uses.set(self.href, { ...own, isDefault: true })
  }
  return [...uses.values()]
}

export function UsesOfMachine({ machine }: OfMachine) {
  const say = useTranslations('inventory.machines')
  const label = useTranslations('labels')
  const center = idOfLink(linkOf(machine, 'virtualdatacenter')) ?? 0
  const { data } = useQuery({
    ...defaultSnatQuery(center),
    enabled: useMay('VDC_ENUMERATE', 'MANAGE_NATIPS'),
  })
  return (
    <Stack gap="s">
      <NotCompared />
      <SimpleTable
        label={say('uses')}
        rows={usesOf(machine, data?.collection[0])}
        keyOf={({ href }) => href}
        columns={[
          {
            id: 'address',
            header: label('address'),
            isRowHeader: true,
            cell: ({ address }) => <AddressLink ip={address} />,
          },
          { id: 'network', header: label('network'), cell: ({ network }) => <ScreenLink link={network} /> },
          { id: 'rules', header: label('rules'), isNumber: true, cell: ({ rules }) => rules },
          {
            id: 'default',
            header: label('defaultSnat'),
            cell: ({ isDefault }) => (isDefault ? say('defaultSnat') : '–'),
          },
        ]}
        empty={say('usesNone')}
      />
    </Stack>
  )
}
