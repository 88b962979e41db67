import { sql } from 'kysely'
import { hasLeftOut, isLeftOut } from '#lib/cloud/translations/format.server'
import { isNewFor, lastRevision } from '#lib/cloud/translations/revisions.server'
import { isSilent, statusOf } from '#lib/cloud/translations/status'
import type { DeviceStatus, RuleState } from '#lib/cloud/translations/translations.schema'

/* The reports of gateways, in the documents of devices and rules: their queries join `device_states`, and `device_rules` for rules. */

export const deviceStatusColumns = () =>
  [
    'device_states.revision as reported_revision',
    'device_states.seconds as report_seconds',
    'device_states.reported_at',
    sql<number>`case when device_states.drift <> '[]' then 1 else 0 end`.as('has_drift'),
    sql<number>`case when device_states.refused <> '[]' then 1 else 0 end`.as('has_refused'),
    hasLeftOut().as('has_left_out'),
    lastRevision(sql`device_states.device_id`).as('last_revision'),
  ] as const

/** 1 if the gateway is silent, too old, has drifted or refuses translations, by the last event: that is a second old at most. */
export const hasFault = () =>
  sql<number>`case when device_states.shown_status in ('silent', 'outdated', 'drifted', 'refused') then 1 else 0 end`

type DeviceColumns = {
  reported_revision: number | null
  report_seconds: number | null
  reported_at: number | null
  has_drift: number
  has_refused: number
  has_left_out: number
  last_revision: number | null
}

function deviceStatusOf(row: Partial<DeviceColumns>): DeviceStatus {
  const { reported_revision: revision, report_seconds: seconds, reported_at } = row
  if (!isKnown(revision) || !isKnown(seconds) || !isKnown(reported_at)) return 'unmanaged'
  const report = {
    revision,
    seconds,
    reported_at,
    hasDrift: row.has_drift === 1,
    hasRefused: row.has_refused === 1,
    isOutdated: row.has_left_out === 1,
  }
  return statusOf(report, row.last_revision ?? 0)
}

/** Reports have no past: past rows are read without these columns. */
export const deviceStatusFields = (row: Partial<DeviceColumns>) =>
  row.has_drift === undefined ? {} : { status: deviceStatusOf(row) }

const isKnown = (number: number | null | undefined): number is number => typeof number === 'number'

export const ruleStateColumns = () =>
  [
    'device_states.seconds as report_seconds',
    'device_states.reported_at',
    'device_rules.packets',
    'device_rules.bytes',
    'device_rules.fault',
    isLeftOut().as('is_left_out'),
    isNewFor(sql`device_states.revision`, sql`nat_rules.id`).as('is_new'),
  ] as const

type RuleColumns = {
  report_seconds: number | null
  reported_at: number | null
  packets: number | null
  bytes: number | null
  fault: 'drifted' | 'refused' | null
  is_new: number
  is_left_out: number
}

function ruleStateOf({
  report_seconds: seconds,
  reported_at,
  fault,
  is_new,
  is_left_out,
}: RuleColumns): RuleState {
  if (seconds === null || reported_at === null) return 'unmanaged'
  if (isSilent({ seconds, reported_at })) return 'silent'
  if (is_left_out === 1) return 'outdated'
  return fault ?? (is_new === 1 ? 'pending' : 'active')
}

/** A rule of a device without a gateway has no counters. */
export function ruleStateFields(row: RuleColumns) {
  const deviceState = ruleStateOf(row)
  if (deviceState === 'unmanaged') return { deviceState }
  return { deviceState, packets: row.packets ?? 0, bytes: row.bytes ?? 0 }
}
