import type { Privilege } from '#lib/caller/auth/privileges'
import type { FindingRule, NatFinding, NatFindingCode } from '#lib/cloud/nat/check.schema'
import type { LinkDocument } from '#lib/ground/http/view'
import type { Say } from '#lib/words/words'

export type FixKind = 'available' | 'removeRule' | 'attach' | 'removeNetwork' | 'release' | 'create'

/** What the fixes of a code do, where it may have any: then all of them can be fixed together. */
export const fixOfCode: Partial<Record<NatFindingCode, FixKind>> = {
  'NATCHECK-1': 'available',
  'NATCHECK-2': 'removeRule',
  'NATCHECK-3': 'attach',
  'NATCHECK-4': 'removeNetwork',
  'NATCHECK-7': 'release',
  'NATCHECK-11': 'removeRule',
  'NATCHECK-12': 'create',
}

/** The effect of the proposed request, or undefined without one. */
export function fixKindOf({ code, fix }: Pick<NatFinding, 'code' | 'fix'>): FixKind | undefined {
  if (!fix) return undefined
  return code === 'NATCHECK-3' && fix.method === 'DELETE' ? 'removeRule' : fixOfCode[code]
}

/** The protocol and the ports of a rule in short: `TCP 443 → 8443`. */
export function ruleText(say: Say<'natCheck'>, rule: FindingRule): string {
  const { snat, protocol, originalPort, originalPortEnd, translatedPort } = rule
  if (snat) return 'SNAT'
  if (originalPort === undefined) return say('allPorts', { protocol: protocol ?? 'ANY' })
  const original = originalPortEnd === undefined ? originalPort : `${originalPort}-${originalPortEnd}`
  const ports = originalPort === translatedPort ? original : `${original} → ${translatedPort}`
  return `${protocol} ${ports}`
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
