import type { Privilege } from '#lib/caller/auth/privileges'
import type { NatFinding } from '#lib/cloud/nat/check.schema'
import type { LinkDocument } from '#lib/ground/http/view'

export type FixKind = 'available' | 'removeRule' | 'attach' | 'removeNetwork' | 'release' | 'create'

/** The effect of the proposed request, or undefined without one. */
export function fixKindOf({ code, fix }: Pick<NatFinding, 'code' | 'fix'>): FixKind | undefined {
  if (!fix) return undefined
  switch (code) {
    case 'NATCHECK-1':
      return 'available'
    case 'NATCHECK-3':
      return fix.method === 'PUT' ? 'attach' : 'removeRule'
    case 'NATCHECK-4':
      return 'removeNetwork'
    case 'NATCHECK-7':
      return 'release'
    case 'NATCHECK-12':
      return 'create'
    default:
      return 'removeRule'
  }
}

export const privilegeOf: Record<FixKind, Privilege> = {
  available: 'PHYS_DC_ALLOW_MODIFY_NETWORK',
  removeRule: 'VAPP_CUSTOMISE_SETTINGS',
  attach: 'MANAGE_NATIPS',
  removeNetwork: 'PHYS_DC_ALLOW_MODIFY_NETWORK',
  release: 'MANAGE_NATIPS',
  create: 'PHYS_DC_ALLOW_MODIFY_NETWORK',
}

const named = ['natip', 'privateip', 'device', 'virtualmachine', 'virtualdatacenter', 'natnetwork'] as const
export type NamedRel = (typeof named)[number]

/** The subject of a finding, by the names of its links. */
export const namesIn = ({ links }: { links: readonly LinkDocument[] }): { rel: NamedRel; name: string }[] =>
  named.flatMap((rel) =>
    links.flatMap((link) => (link.rel === rel && link.title ? [{ rel, name: link.title }] : [])),
  )
