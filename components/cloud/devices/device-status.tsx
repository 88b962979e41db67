import StatusIndicator, { type StatusIndicatorProps } from '@cloudscape-design/components/status-indicator'
import { useTranslations } from 'use-intl'
import { Mark, type MarkKind } from '#components/table/cells'
import type { DeviceStatus } from '#lib/cloud/translations/translations.schema'

/* The last report of a device's gateway, in one word. */

const kinds: Record<DeviceStatus, { mark: MarkKind; type: StatusIndicatorProps.Type }> = {
  insync: { mark: 'good', type: 'success' },
  pending: { mark: 'held', type: 'in-progress' },
  drifted: { mark: 'warning', type: 'warning' },
  refused: { mark: 'warning', type: 'error' },
  silent: { mark: 'warning', type: 'error' },
  unmanaged: { mark: 'off', type: 'stopped' },
}

/** In a table. */
export function DeviceMark({ status }: { status: DeviceStatus }) {
  const say = useTranslations('gateways.statuses')
  return <Mark kind={kinds[status].mark}>{say(status)}</Mark>
}

export function DeviceStatusLine({ status }: { status: DeviceStatus }) {
  const say = useTranslations('gateways.statuses')
  return <StatusIndicator type={kinds[status].type}>{say(status)}</StatusIndicator>
}
