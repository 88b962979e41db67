import type { Caller } from '#lib/caller/auth/privileges'
import { revisionOf } from '#lib/cloud/translations/revisions.server'
import { report } from '#lib/cloud/translations/states.server'
import { type DeviceStateInput, RANGES_AND_SOURCES } from '#lib/cloud/translations/translations.schema'
import { rulesOf } from '#lib/cloud/translations/translations.server'
import { type Trx, transaction } from '#lib/db/db.server'
import { gatewayDevice } from '#lib/tools/sample/names'
import { seeded } from '#lib/tools/sample/random'

/* The gateway of the sample cloud: no program runs, its report is written here. */

const AGENT = { name: 'sample gateway', version: '1' }

/** The longest interval, so that the gateway is not silent for three days after a start of the demo. */
const INTERVAL = 86_400

const deviceOf = (trx: Trx) =>
  trx
    .selectFrom('devices')
    .leftJoin('device_states', 'device_states.device_id', 'devices.id')
    .where('devices.name', '=', gatewayDevice)
    .select(['devices.id', 'devices.name', 'devices.datacenter_id', 'device_states.agent'])
    .executeTakeFirst()

/** Reports as a gateway whose table another program has changed. A gateway that really reports is left alone. */
export const reportSampleGateway = (caller: Caller): Promise<void> =>
  transaction(async (trx) => {
    const device = await deviceOf(trx)
    if (!device || (device.agent && device.agent !== JSON.stringify(AGENT))) return
    await report({ caller, db: trx, found: device, body: await driftedReport(trx, device.id) })
  })

async function driftedReport(trx: Trx, device: number): Promise<DeviceStateInput> {
  const random = seeded(device)
  const rules = await rulesOf(trx, device).orderBy('nat_rules.id').execute()
  const lost = rules.find(({ kind, protocol }) => kind === 'dnat' && protocol !== null)
  const counters = rules.map(({ rule_id: rule }) => {
    const packets = random.below(4000)
    return { rule, packets, bytes: packets * (60 + random.below(40)) }
  })
  return {
    revision: await revisionOf(trx, device),
    mode: 'watch',
    interval: INTERVAL,
    translations: rules.length,
    drift: [
      ...(lost
        ? [{ rule: lost.rule_id, reason: `dnat_ports ${lost.nat_ip} → ${lost.private_ip} is missing` }]
        : []),
      { reason: 'dnat_hosts 100.80.7.250 → 10.9.9.9 was added by another program' },
    ],
    refused: [],
    counters: counters.slice(0, 5000),
    agent: AGENT,
    formatVersion: RANGES_AND_SOURCES,
  }
}
