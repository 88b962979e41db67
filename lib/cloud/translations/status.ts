import type { DeviceStatus } from '#lib/cloud/translations/translations.schema'

/** The status of a gateway's last report, and its time. */
export type Reported = {
  revision: number
  /** Seconds between two reports. */
  seconds: number
  reported_at: number
  hasDrift: boolean
  hasRefused: boolean
  /** The gateway is too old for some rules, and does not get them. */
  isOutdated: boolean
}

/** After this many intervals without a report a gateway is silent. */
export const SILENT = 3

export const isSilent = (report: Pick<Reported, 'seconds' | 'reported_at'>, now = Date.now()): boolean =>
  now > report.reported_at + SILENT * report.seconds * 1000

/** The first of silent, outdated, refused, drifted, pending that holds. `revision`: the current one of the translations. */
export function statusOf(report: Reported, revision: number): DeviceStatus {
  if (isSilent(report)) return 'silent'
  if (report.isOutdated) return 'outdated'
  if (report.hasRefused) return 'refused'
  if (report.hasDrift) return 'drifted'
  return report.revision < revision ? 'pending' : 'insync'
}
