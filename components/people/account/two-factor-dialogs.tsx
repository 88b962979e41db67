import { useMutation } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { useTranslations } from 'use-intl'
import { Dialog } from '#components/base/forms/dialog'
import { useFlash } from '#components/base/forms/flash'
import { paths } from '#components/base/screens/paths'
import { CodeDialog, type TwoFactorDialogProps } from '#components/base/session/code-dialog'
import { Button } from '#components/kit/button'
import { disableTwoFactor, proveCode, renewScratchCodes } from '#lib/people/identity/two-factor.queries'
import { ScratchCodes } from './scratch-codes-list'

export function DisableDialog(props: TwoFactorDialogProps) {
  const { session } = props
  const say = useTranslations('account.twoFactor')
  return (
    <CodeDialog
      {...props}
      header={say('disableTitle')}
      takesScratchCodes
      label={say('turnOff')}
      busyLabel={say('turningOff')}
      mutation={useMutation(disableTwoFactor(session))}
      text={say(`disableText.${session.twoFactorProvider ?? 'APP_AUTHENTICATOR'}`)}
      done={say('disabled')}
    />
  )
}

/** Turns two factor off with a scratch code, and goes on with the enrolment of another phone. */
export function NewPhoneDialog(props: TwoFactorDialogProps) {
  const say = useTranslations('account.twoFactor')
  const navigate = useNavigate()
  return (
    <CodeDialog
      {...props}
      header={say('newPhoneTitle')}
      takesScratchCodes
      label={say('newPhoneGoOn')}
      busyLabel={say('checking')}
      mutation={useMutation(disableTwoFactor(props.session))}
      text={say('newPhoneText')}
      onDone={() => {
        props.onDone()
        void navigate(paths.twoFactor())
      }}
    />
  )
}

/** The last step of an enrolment that was left before it. */
export function ProveDialog(props: TwoFactorDialogProps) {
  const say = useTranslations('account.twoFactor')
  return (
    <CodeDialog
      {...props}
      header={say('prove')}
      takesScratchCodes={false}
      label={say('check')}
      busyLabel={say('checking')}
      mutation={useMutation(proveCode())}
      text={say('proveText')}
      done={say('proved')}
    />
  )
}

/** Ten new scratch codes for a verification code; they are shown this one time. */
export function NewCodesDialog(props: TwoFactorDialogProps) {
  const { session, visible } = props
  const say = useTranslations('account.twoFactor')
  const renew = useMutation(renewScratchCodes(session))
  const notify = useFlash()
  const done = () => {
    renew.reset()
    notify(say('renewed'))
    props.onDone()
  }
  return (
    <>
      <CodeDialog
        {...props}
        visible={visible && !renew.data}
        header={say('renewTitle')}
        takesScratchCodes
        label={say('renew')}
        busyLabel={say('renewing')}
        mutation={renew}
        text={say('renewText')}
        // The codes follow in the other dialog.
        onDone={() => undefined}
      />
      <Dialog
        visible={visible && renew.data !== undefined}
        header={say('newTitle')}
        onDismiss={(by) => by === 'button' && done()}
        actions={
          <Button look="main" onPress={done}>
            {say('kept')}
          </Button>
        }
      >
        <p>{say('newText')}</p>
        <ScratchCodes
          codes={renew.data?.scratchCodes ?? []}
          owner={{ issuer: '', account: session.nick, host: window.location.host }}
        />
      </Dialog>
    </>
  )
}
