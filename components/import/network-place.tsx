import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { NamedField } from '#components/base/pickers/named-picker'
import { Checkbox } from '#components/kit/checkbox'
import { Stack } from '#components/kit/layout'
import { Select } from '#components/kit/select'
import { devicesQuery } from '#lib/cloud/infrastructure/devices.queries'
import type { SameForAll } from './use-source'

type NetworkPlaceProps = {
  same: SameForAll
  setSame: (same: SameForAll) => void
  isLeavesOnly: boolean
  setLeavesOnly: (isLeavesOnly: boolean) => void
}

/** Where NAT networks of another program go, and which of its ranges. */
export function NetworkPlace({ same, setSame, isLeavesOnly, setLeavesOnly }: NetworkPlaceProps) {
  const say = useTranslations('layout.import')
  const label = useTranslations('labels')
  const datacenter = same.datacenter?.id
  // A datacenter has few devices.
  const devices = useQuery({
    ...devicesQuery(datacenter ?? 0, { nat: true, by: 'name', limit: 100 }),
    enabled: datacenter !== undefined,
  })
  const names = (devices.data?.collection ?? []).map(({ name }) => name)
  const known = same.device === undefined || names.includes(same.device) ? names : [same.device, ...names]
  return (
    <Stack gap="l">
      <NamedField
        kind="datacenter"
        label={label('datacenter')}
        hint={say('sameForAll')}
        value={same.datacenter}
        onChange={(chosen) => setSame({ datacenter: chosen })}
      />
      <Select
        label={label('device')}
        hint={say('sameForAll')}
        disabled={datacenter === undefined}
        value={same.device}
        options={known.map((name) => ({ value: name, text: name }))}
        empty={say('noDevices')}
        onChange={(device) => setSame({ ...same, device })}
      />
      <Checkbox isChosen={isLeavesOnly} about={say('leavesAbout')} onChange={setLeavesOnly}>
        {say('leaves')}
      </Checkbox>
    </Stack>
  )
}
