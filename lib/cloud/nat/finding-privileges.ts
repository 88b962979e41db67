import type { Privilege } from '#lib/caller/auth/privileges'
import type { NatFindingCode } from '#lib/cloud/nat/check.schema'

const network: Privilege = 'PHYS_DC_ALLOW_MODIFY_NETWORK'
const rules: Privilege = 'VAPP_CUSTOMISE_SETTINGS'
const ips: Privilege = 'MANAGE_NATIPS'

/**
 * The privileges to remove the cause of a finding, any one of which is enough. Who has one may set the finding aside (docs/api/nat-check.md, "Set a
 * finding aside").
 */
export const findingPrivileges: Record<NatFindingCode, readonly Privilege[]> = {
  'NATCHECK-1': [network],
  'NATCHECK-2': [rules],
  'NATCHECK-3': [ips, rules],
  'NATCHECK-4': [network],
  'NATCHECK-5': [network],
  'NATCHECK-6': [ips],
  'NATCHECK-7': [ips],
  'NATCHECK-8': [network],
  'NATCHECK-9': [rules],
  'NATCHECK-10': ['MANAGE_DEVICES'],
  'NATCHECK-11': [rules],
  'NATCHECK-12': [network],
}
