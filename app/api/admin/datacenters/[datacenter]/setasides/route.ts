import { kinds } from '#lib/caller/kinds/kinds'
import { datacenterTarget } from '#lib/cloud/infrastructure/datacenters.server'
import { createSetAside } from '#lib/cloud/nat/set-aside-changes.server'
import { natSetAsideListQuery, newNatSetAsideInput } from '#lib/cloud/nat/set-asides.schema'
import { listSetAsides } from '#lib/cloud/nat/set-asides.server'
import { reads, writes } from '#lib/request/pipeline/endpoint.server'

export const GET = reads(listSetAsides, {
  summary: 'List the findings that are set aside',
  who: { anyOf: kinds.natsetaside.readers },
  target: datacenterTarget,
  query: natSetAsideListQuery,
  answers: { as: 'natsetasides' },
})

export const POST = writes(createSetAside, {
  summary: 'Set a finding aside until a day',
  who: { anyOf: kinds.natsetaside.writers, alsoAnyOf: kinds.natsetaside.readers, ownAccount: 'never' },
  target: datacenterTarget,
  takes: { as: 'natsetaside', body: newNatSetAsideInput },
  answers: { as: 'natsetaside' },
  event: 'natsetaside',
  refuses: ['GEN-15', 'NAT-CHECK-1', 'NAT-CHECK-2', 'NAT-CHECK-3'],
})
