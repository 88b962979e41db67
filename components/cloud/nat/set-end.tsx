import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { EndField, sentEnd } from '#components/base/forms/ends-field'
import { Failure } from '#components/base/forms/failure'
import { FormDialog } from '#components/base/forms/form-dialog'
import { useAction } from '#components/base/forms/use-action'
import { setNatIpEnd } from '#lib/cloud/nat/ips.queries'
import type { NatIpDocument } from '#lib/cloud/nat/ips.schema'

type SetEndProps = { ip: NatIpDocument; onDone: () => void; onClose: () => void }

/** When an attached IP is released by itself. */
export function SetEnd({ ip, onDone, onClose }: SetEndProps) {
  const say = useTranslations('ends')
  const save = useTranslations('common')('save')
  const [ends, setEnds] = useState(ip.ends ?? '')
  const setting = useMutation({ mutationFn: (text: string) => setNatIpEnd(ip, text) })
  const run = useAction(setting, { done: () => say('setDone', { name: ip.ip }), onDone })
  return (
    <FormDialog
      header={say('set', { name: ip.ip })}
      submit={{ label: save, isBusy: setting.isPending }}
      onSubmit={() => run(sentEnd(ends))}
      onClose={onClose}
    >
      <EndField label={say('attachedUntil')} value={ends} onChange={setEnds} />
      {setting.error && <Failure error={setting.error} />}
    </FormDialog>
  )
}
