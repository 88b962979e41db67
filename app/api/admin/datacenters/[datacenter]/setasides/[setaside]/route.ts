import { kinds } from '#lib/caller/kinds/kinds'
import { removeSetAside, updateSetAside } from '#lib/cloud/nat/set-aside-changes.server'
import { natSetAsideInput } from '#lib/cloud/nat/set-asides.schema'
import { setAsideTarget } from '#lib/cloud/nat/set-asides.server'
import { shows, writes } from '#lib/request/pipeline/endpoint.server'

export const GET = shows({
  summary: 'Read why a finding is set aside',
  who: { anyOf: kinds.natsetaside.readers },
  target: setAsideTarget,
  asOf: true,
  answers: { as: 'natsetaside' },
})

export const PUT = writes(updateSetAside, {
  summary: 'Change the reason or the day of a finding that is set aside',
  who: { anyOf: kinds.natsetaside.writers, alsoAnyOf: kinds.natsetaside.readers, ownAccount: 'never' },
  target: setAsideTarget,
  takes: { as: 'natsetaside', body: natSetAsideInput },
  answers: { as: 'natsetaside' },
  event: 'natsetaside',
  refuses: ['GEN-15'],
})

export const DELETE = writes(removeSetAside, {
  summary: 'Show a finding again that is set aside',
  who: { anyOf: kinds.natsetaside.writers, alsoAnyOf: kinds.natsetaside.readers, ownAccount: 'never' },
  target: setAsideTarget,
  event: 'natsetaside',
  refuses: ['GEN-15'],
})
