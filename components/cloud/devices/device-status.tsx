import { useTranslations } from 'use-intl'
import { Status, type StatusKind } from '#components/kit/status'
import { Mark, type MarkKind } from '#components/table/cells'
import type { DeviceStatus } from '#lib/cloud/translations/translations.schema'

/* The last report of a device's gateway, in one word: none in the past. */

const kinds: Record<DeviceStatus, { mark: MarkKind; status: StatusKind }> = {
  insync: { mark: 'good', status: 'good' },
  pending: { mark: 'held', status: 'busy' },
  drifted: { mark: 'warning', status: 'warn' },
  refused: { mark: 'warning', status: 'bad' },
  outdated: { mark: 'warning', status: 'bad' },
  silent: { mark: 'warning', status: 'bad' },
  unmanaged: { mark: 'off', status: 'off' },
}

type Reported = { status: DeviceStatus | undefined }

/** In a table. */
export function DeviceMark({ status }: Reported) {
  const say = useTranslations('gateways.statuses')
  return status === undefined ? null : <Mark kind={kinds[status].mark}>{say(status)}</Mark>
}

export function DeviceStatusLine({ status }: Reported) {
  const say = useTranslations('gateways.statuses')
  return status === undefined ? null : <Status kind={kinds[status].status}>{say(status)}</Status>
}
