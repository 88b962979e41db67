import { useTranslations } from 'use-intl'
import { EndField } from '#components/base/forms/ends-field'
import { CreateInPlace } from '#components/base/in-place/create-in-place'
import { access } from '#components/base/screens/access'
import { useMay } from '#components/base/session/session'
import { Stack } from '#components/kit/layout'
import type { Named } from '#lib/ground/http/view'
import { VirtualDatacenterPicker } from './resource-picker'
import { NewCenter } from './rule-parts'

type AttachToProps = {
  /** If absent, the virtual datacenters of all datacenters, and none can be created. */
  datacenter: number | undefined
  value: Named | undefined
  onChange: (center: Named) => void
  ends: string
  onEnds: (ends: string) => void
}

/** The virtual datacenter that gets NAT IPs, and until when. A missing one is created in place. */
export function AttachTo({ datacenter, value, onChange, ends, onEnds }: AttachToProps) {
  const label = useTranslations('ends')('attachedUntil')
  const say = useTranslations('forms.inPlace')
  const mayCreate = useMay(...access.manageCenters)
  return (
    <Stack gap="m">
      <CreateInPlace
        label={say('center')}
        mayCreate={mayCreate && datacenter !== undefined}
        dialog={(onClose) => (
          <NewCenter
            datacenter={datacenter ?? 0}
            onMade={({ id, name }) => onChange({ id, name })}
            onClose={onClose}
          />
        )}
      >
        <VirtualDatacenterPicker datacenter={datacenter} value={value} onChange={onChange} />
      </CreateInPlace>
      <EndField label={label} value={ends} onChange={onEnds} />
    </Stack>
  )
}
