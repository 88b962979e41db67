import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { Noted } from '#lib/caller/kinds/notes.schema'
import { api, apiWithTag } from '#lib/client/api'
import {
  collectionQuery,
  ifMatch,
  invalidateBelow,
  type Query,
  resourceQuery,
  type Tagged,
  useChange,
} from '#lib/client/resources.queries'
import { linkOf } from '#lib/ground/http/view'
import { natIpPath, pathOf } from './ips.queries'
import { natChanged, natNetworkPath, natNetworksPath } from './networks.queries'
import type { NatProtocol, NatRuleDocument } from './rules.schema'

/** The list of the rules of one network, of all networks of the datacenter, or of all visible datacenters. */
export const natRulesPath = (datacenter: number | undefined, network: number | undefined): string =>
  network === undefined
    ? `${natNetworksPath(datacenter)}/action/allrules`
    : `${natNetworkPath(datacenter, network)}/rules`

/** `query` may have the fields of `datacenterRuleQuery`; without a datacenter, those of `allRuleQuery`. */
export const natRulesQuery = (datacenter: number | undefined, network: number | undefined, query: Query) =>
  collectionQuery<NatRuleDocument>(natRulesPath(datacenter, network), query)

type NatIpPlace = { datacenter: number; network: number; natip: number }

export const natIpRulesPath = ({ datacenter, network, natip }: NatIpPlace): string =>
  `${natIpPath(datacenter, network, natip)}/rules`

export const natIpRulesQuery = (place: NatIpPlace, query: Query) =>
  collectionQuery<NatRuleDocument>(natIpRulesPath(place), query)

/** Milliseconds. */
const AGAIN = 3000

/** A rule at its machine, read again while it is on the screen until its gateway has counted a connection. */
export const natRuleQuery = (rule: NatRuleDocument) =>
  queryOptions({
    ...resourceQuery<NatRuleDocument>(pathOf(linkOf(rule, 'self'))),
    refetchInterval: ({ state }) => ((state.data?.document.packets ?? 0) > 0 ? false : AGAIN),
  })

type SentSettings = {
  originalPort?: number
  originalPortEnd?: number
  translatedPort?: number
  sources?: string[]
}

/** A rule to create; `machine` is the `href` of the virtual machine. Without ports it is for all ports. */
export type NewNatRule = {
  machine: string
  rule: SentSettings & {
    snat: boolean
    protocol?: NatProtocol
    ends?: string
    links: { rel: string; href: string }[]
  } & Partial<Noted>
}

async function rulesChanged(
  client: QueryClient,
  datacenter: number | undefined,
  machine: string,
): Promise<void> {
  await natChanged(client, datacenter)
  await invalidateBelow(client, [machine])
}

export const useCreateNatRule = (datacenter: number | undefined) =>
  useChange(
    ({ machine, rule }: NewNatRule, once) =>
      api<NatRuleDocument>(`${pathOf({ href: machine })}/natrules`, { method: 'POST', body: rule, once }),
    (client, { machine }) => rulesChanged(client, datacenter, pathOf({ href: machine })),
  )

/** A rule without a link to itself belongs to a hidden machine: the caller cannot delete it. */
export const isRemovable = (rule: NatRuleDocument): boolean => linkOf(rule, 'self') !== undefined

export const deleteNatRule = (rule: NatRuleDocument): Promise<void> =>
  api(pathOf(linkOf(rule, 'self')), { method: 'DELETE' })

/** The query of a rule at its machine, to change it. */
export const ruleToChange = (rule: NatRuleDocument) =>
  resourceQuery<NatRuleDocument>(pathOf(linkOf(rule, 'self')))

type RuleChange = { settings: SentSettings; current: Tagged<NatRuleDocument> }

/** Without ports the rule is for all ports. */
export const useChangeNatRule = (datacenter: number | undefined) =>
  useChange(
    ({ settings, current: { document, etag } }: RuleChange) => {
      const { originalPort: _port, originalPortEnd: _last, translatedPort: _inner, ...kept } = document
      const body = { ...kept, ...settings }
      return api<NatRuleDocument>(pathOf(linkOf(document, 'self')), {
        method: 'PUT',
        body,
        headers: ifMatch(etag),
      })
    },
    (client, { current }) =>
      rulesChanged(client, datacenter, pathOf(linkOf(current.document, 'virtualmachine'))),
  )

type RuleNotes = { draft: Noted; current: Tagged<NatRuleDocument> }

export const useSaveRuleNotes = (datacenter: number | undefined) =>
  useChange(
    ({ draft, current: { document, etag } }: RuleNotes) =>
      api<NatRuleDocument>(pathOf(linkOf(document, 'self')), {
        method: 'PUT',
        body: { ...document, ...draft },
        headers: ifMatch(etag),
      }),
    (client, { current }) =>
      rulesChanged(client, datacenter, pathOf(linkOf(current.document, 'virtualmachine'))),
  )

type Switch = { rule: NatRuleDocument; enabled: boolean }

/** Reads the rule first, so that changes of its ports since the list was loaded are kept. */
export async function switchNatRule({ rule, enabled }: Switch): Promise<NatRuleDocument> {
  const path = pathOf(linkOf(rule, 'self'))
  const { document, etag } = await apiWithTag<NatRuleDocument>(path, { meta: undefined })
  return api(path, { method: 'PUT', body: { ...document, enabled }, headers: ifMatch(etag) })
}

type RuleEnd = { rule: NatRuleDocument; ends: string }

/** Sets or clears the end of a rule, which is read first. */
async function setNatRuleEnd({ rule, ends }: RuleEnd): Promise<NatRuleDocument> {
  const path = pathOf(linkOf(rule, 'self'))
  const { document, etag } = await apiWithTag<NatRuleDocument>(path, { meta: undefined })
  return api(path, { method: 'PUT', body: { ...document, ends }, headers: ifMatch(etag) })
}

export const useSetNatRuleEnd = (datacenter: number | undefined) =>
  useChange(setNatRuleEnd, (client, { rule }) =>
    rulesChanged(client, datacenter, pathOf(linkOf(rule, 'virtualmachine'))),
  )

export const useSwitchNatRule = (datacenter: number | undefined) =>
  useChange(switchNatRule, (client, { rule }) =>
    rulesChanged(client, datacenter, pathOf(linkOf(rule, 'virtualmachine'))),
  )

export const useRemoveNatRule = (datacenter: number | undefined) =>
  useChange(deleteNatRule, (client, rule) =>
    rulesChanged(client, datacenter, pathOf(linkOf(rule, 'virtualmachine'))),
  )
