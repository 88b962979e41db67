import Alert from '@cloudscape-design/components/alert'
import Button from '@cloudscape-design/components/button'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useTranslations } from 'use-intl'
import { Failure } from '#components/forms/failure'
import { useTakeBack } from './take-back'

/** An enrolment was left in the middle: the way on, and the way back. */
export function UnprovedWarning({ onProve, onTakenBack }: { onProve: () => void; onTakenBack: () => void }) {
  const say = useTranslations('account.twoFactor')
  const { start, isPending, error } = useTakeBack(onTakenBack)
  return (
    <SpaceBetween size="s">
      <Alert
        type="warning"
        header={say('unproved')}
        action={
          <SpaceBetween direction="horizontal" size="xs">
            <Button onClick={start} loading={isPending} loadingText={say('turningOff')}>
              {say('takeBack')}
            </Button>
            <Button onClick={onProve}>{say('prove')}</Button>
          </SpaceBetween>
        }
      >
        {say('unprovedText')}
      </Alert>
      {error && <Failure error={error} />}
    </SpaceBetween>
  )
}
