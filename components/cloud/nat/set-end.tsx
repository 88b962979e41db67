import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { EndField } from '#components/base/forms/ends-field'
import { sentEnd } from '#components/base/forms/ends-text'
import { Failure } from '#components/base/forms/failure'
import { FormDialog } from '#components/base/forms/form-dialog'
import { Optional } from '#components/base/forms/optional'
import { useAction } from '#components/base/forms/use-action'

type SetEndProps = {
  /** Of an attached IP, or of a rule. */
  kind: 'natip' | 'natrule'
  name: string
  ends: string | undefined
  save: (ends: string) => Promise<unknown>
  onDone: () => void
  onClose: () => void
}

/** When an attached IP is released, or a rule disabled, by itself. */
export function SetEnd({ kind, name, ends: saved = '', save, onDone, onClose }: SetEndProps) {
  const say = useTranslations('ends')
  const button = useTranslations('common')('save')
  const [ends, setEnds] = useState(saved)
  const setting = useMutation({ mutationFn: save })
  const run = useAction(setting, { done: () => say('setDone', { name }), onDone })
  return (
    <FormDialog
      header={say('set', { name })}
      submit={{ label: button, isBusy: setting.isPending }}
      onSubmit={() => run(sentEnd(ends))}
      onClose={onClose}
    >
      <EndField
        label={<Optional>{say(kind === 'natip' ? 'attachedUntil' : 'disabledAt')}</Optional>}
        value={ends}
        onChange={setEnds}
      />
      {setting.error && <Failure error={setting.error} />}
    </FormDialog>
  )
}
