import Alert from '@cloudscape-design/components/alert'
import Button from '@cloudscape-design/components/button'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { Failure } from '#components/layout/failure'
import { useTakeBack } from './take-back'

/** An enrolment was left in the middle: the way on, and the way back. */
export function UnprovedWarning({ onProve, onTakenBack }: { onProve: () => void; onTakenBack: () => void }) {
  const { start, isPending, error } = useTakeBack(onTakenBack)
  return (
    <SpaceBetween size="s">
      <Alert
        type="warning"
        header="No code was proved yet"
        action={
          <SpaceBetween direction="horizontal" size="xs">
            <Button onClick={start} loading={isPending} loadingText="Turning off">
              Take it back
            </Button>
            <Button onClick={onProve}>Prove a code</Button>
          </SpaceBetween>
        }
        i18nStrings={{ warningIconAriaLabel: 'Warning' }}
      >
        Your next sign-in asks for a code. Prove now that the right codes reach you. As long as you stay
        signed in here, you can also take it back without a code.
      </Alert>
      {error && <Failure error={error} />}
    </SpaceBetween>
  )
}
