import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { Failure } from '#components/base/forms/failure'
import { FormDialog } from '#components/base/forms/form-dialog'
import { useAction } from '#components/base/forms/use-action'
import { useDates } from '#components/base/forms/use-dates'
import { DateField } from '#components/kit/date-field'
import { TextField } from '#components/kit/field'
import { type CheckPlace, type FindingRow, useSetAside } from '#lib/cloud/nat/check.queries'
import { dayIn, LONGEST_DAYS } from '#lib/cloud/nat/set-asides.schema'
import { namesIn } from './finding-words'

type SetAsideDialogProps = { place: CheckPlace; finding: FindingRow; onClose: () => void }

/** Days that a finding is set aside for unless another day is chosen. */
const USUAL = 30

const isPossible = (day: string): boolean => day >= dayIn(0) && day <= dayIn(LONGEST_DAYS)

const isReason = (text: string): boolean => text.trim() !== '' && [...text.trim()].length <= 200

/** Asks why, and until when. */
export function SetAsideDialog({ place, finding, onClose }: SetAsideDialogProps) {
  const say = useTranslations('natCheck')
  const [reason, setReason] = useState('')
  const [until, setUntil] = useState(() => dayIn(USUAL))
  const [isTried, setTried] = useState(false)
  const mutation = useSetAside(place)
  const run = useAction(mutation, { done: () => say('aside.done'), onDone: onClose })
  const isReady = isReason(reason) && isPossible(until)
  return (
    <FormDialog
      header={say('aside.title')}
      submit={{ label: say('aside.submit'), isBusy: mutation.isPending }}
      loses={() => reason !== ''}
      onSubmit={() => {
        setTried(true)
        if (isReady) run({ finding: finding.identity, reason: reason.trim(), until })
      }}
      onClose={onClose}
    >
      <div>
        <strong>{say(`codes.${finding.code}.title`)}</strong>
        <div className="quiet">
          {namesIn(finding)
            .map(({ name }) => name)
            .join(' · ')}
        </div>
      </div>
      <TextField
        label={say('aside.reason')}
        value={reason}
        error={isTried && !isReason(reason) && say('aside.noReason')}
        onChange={setReason}
      />
      <DateField
        {...useDates()}
        label={say('aside.until')}
        hint={say('aside.untilHint')}
        value={until}
        error={isTried && !isPossible(until) && say('aside.noDay')}
        isPossible={isPossible}
        onChange={setUntil}
      />
      {mutation.error && <Failure error={mutation.error} />}
    </FormDialog>
  )
}
