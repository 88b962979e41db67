import Alert from '@cloudscape-design/components/alert'
import Button from '@cloudscape-design/components/button'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useFollow } from '#components/layout/app-link'
import { Failure } from '#components/layout/failure'
import { paths } from '#components/paths'
import { useTakeBack } from './take-back'

/** There is nothing to set up; whoever reloaded in the middle learns the way on. */
export const AlreadyOn = ({ canTakeBack }: { canTakeBack: boolean }) =>
  canTakeBack ? <Unproved /> : <Proved />

function Proved() {
  return (
    <Alert
      type="info"
      header="Two factor authentication is on already"
      action={<ToAccount />}
      i18nStrings={{ infoIconAriaLabel: 'Information' }}
    >
      The key and the scratch codes were shown once and cannot be shown again. If your app gives no codes,
      turn two factor authentication off with one of your scratch codes and set it up anew. Without scratch
      codes, ask an administrator for help before you sign out.
    </Alert>
  )
}

function Unproved() {
  const { start, isPending, error } = useTakeBack()
  return (
    <SpaceBetween size="l">
      <Alert
        type="warning"
        header="Two factor authentication is on, but no code was tried yet"
        action={
          <SpaceBetween direction="horizontal" size="xs">
            <ToAccount />
            <Button onClick={start} loading={isPending} loadingText="Turning off">
              Turn it off and start anew
            </Button>
          </SpaceBetween>
        }
        i18nStrings={{ warningIconAriaLabel: 'Warning' }}
      >
        The key and the scratch codes were shown once and cannot be shown again. As long as you stay signed in
        here, you can turn it off without a code.
      </Alert>
      {error && <Failure error={error} />}
    </SpaceBetween>
  )
}

function ToAccount() {
  const follow = useFollow()
  return (
    <Button href={paths.account()} onFollow={follow}>
      Go to my account
    </Button>
  )
}
