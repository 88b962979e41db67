import { useMutation, useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { Failure } from '#components/base/forms/failure'
import { FormDialog } from '#components/base/forms/form-dialog'
import { useOneAtATime } from '#components/base/forms/one-at-a-time'
import { PasswordField } from '#components/base/forms/password-field'
import { AppLink } from '#components/base/screens/app-link'
import { Button } from '#components/kit/button'
import { screenIcons } from '#components/kit/screen-icons'
import { proveByCode, proveByPasskey, proveByPassword } from '#lib/caller/auth/own-account.queries'
import { signInWaysQuery } from '#lib/caller/auth/session.queries'
import { ApiFailure } from '#lib/client/api'
import { CodeDialog } from './code-dialog'
import { askForPasskey, hasPasskeys, isUnanswered } from './passkeys'
import { useSession } from './session'
import { TooMany } from './too-many'
import { isTooMany, useWait } from './waiting-time'

type ProofDialogProps = { visible: boolean; onClose: () => void; onProved: () => void }

/** Asks for the password, a code or a passkey before a change of the account, which then continues. */
export function ProofDialog(dialog: ProofDialogProps) {
  const session = useSession()
  const [byCode, setByCode] = useState(false)
  const hasCode = session.twoFactorProvider !== undefined
  if (!session.hasPassword && !hasCode) return <SignInAgain {...dialog} />
  if (byCode || !session.hasPassword)
    return <ByCode {...dialog} onOther={session.hasPassword ? () => setByCode(false) : undefined} />
  return <ByPassword {...dialog} onOther={hasCode ? () => setByCode(true) : undefined} />
}

type WayProps = ProofDialogProps & {
  /** Switches to the other proof, if the user has both. */
  onOther?: () => void
}

function usePasswordProof(dialog: ProofDialogProps) {
  const say = useTranslations('account.proof')
  const form = useRef<HTMLFormElement>(null)
  const [password, setPassword] = useState('')
  const [isMissing, setMissing] = useState(false)
  const guard = useOneAtATime()
  const prove = useMutation(proveByPassword())
  const wait = useWait(prove)
  const focus = () => form.current?.querySelector<HTMLInputElement>('input[name=password]')?.focus()

  const ending = (end: () => void) => () => {
    setPassword('')
    setMissing(false)
    prove.reset()
    end()
  }
  const onProved = ending(dialog.onProved)
  const submit = () => {
    if (wait > 0) return
    setMissing(password === '')
    if (password === '') return focus()
    guard(() => prove.mutateAsync(password, { onSuccess: onProved, onError: focus }))
  }
  const isWrong = prove.error instanceof ApiFailure && prove.error.has('SIGN-IN-3')
  const fault = isMissing ? say('missing') : isWrong && say('wrong')
  const type = (value: string) => {
    setPassword(value)
    setMissing(false)
  }
  const failure = isWrong || isTooMany(prove.error) ? null : prove.error
  const isChecking = prove.isPending
  return {
    form,
    password,
    fault,
    failure,
    wait,
    isChecking,
    type,
    submit,
    onProved,
    onClose: ending(dialog.onClose),
  }
}

function ByPassword({ onOther, ...dialog }: WayProps) {
  const say = useTranslations('account.proof')
  const { nick } = useSession()
  const proof = usePasswordProof(dialog)
  const tooMany = useTranslations('common')('ownFaults.429')
  return (
    <FormDialog
      ref={proof.form}
      visible={dialog.visible}
      header={say('title')}
      submit={{
        label: say('goOn'),
        busyLabel: say('checking'),
        isBusy: proof.isChecking,
        refused: proof.wait > 0 ? tooMany : undefined,
      }}
      onSubmit={proof.submit}
      onClose={proof.onClose}
    >
      <p>{say('why')}</p>
      <PasswordField
        label={say('password')}
        error={proof.fault}
        autoComplete="current-password"
        readOnly={proof.isChecking}
        value={proof.password}
        onChange={proof.type}
      />
      {/* Names the account of the password for a password manager. */}
      <input name="username" autoComplete="username" value={nick} readOnly hidden />
      {proof.wait > 0 ? (
        <TooMany wait={proof.wait} of="password" />
      ) : (
        proof.failure && <Failure error={proof.failure} />
      )}
      {onOther && <Other onFollow={onOther}>{say('useCode')}</Other>}
      <ByPasskey onProved={proof.onProved} />
    </FormDialog>
  )
}

function ByCode({ visible, onClose, onProved, onOther }: WayProps) {
  const say = useTranslations('account.proof')
  const session = useSession()
  const prove = useMutation(proveByCode())
  return (
    <CodeDialog
      session={session}
      visible={visible}
      header={say('title')}
      takesScratchCodes
      label={say('goOn')}
      busyLabel={say('checking')}
      mutation={prove}
      text={say('why')}
      onDone={() => {
        prove.reset()
        onProved()
      }}
      onCancel={onClose}
    >
      {onOther && <Other onFollow={onOther}>{say('usePassword')}</Other>}
      <ByPasskey
        onProved={() => {
          prove.reset()
          onProved()
        }}
      />
    </CodeDialog>
  )
}

/** Proves by a passkey, where the installation and the browser have them. */
function ByPasskey({ onProved }: { onProved: () => void }) {
  const say = useTranslations('account.proof')
  const { data: ways } = useQuery(signInWaysQuery)
  const guard = useOneAtATime()
  const asking = useMutation({ mutationFn: () => askForPasskey({}), gcTime: 0 })
  const prove = useMutation(proveByPasskey())
  if (!ways?.passkey || !hasPasskeys()) return null
  const ask = () =>
    guard(async () => {
      await prove.mutateAsync(await asking.mutateAsync())
      onProved()
    })
  const error = asking.error ?? prove.error
  return (
    <>
      <Other onFollow={ask}>{say('usePasskey')}</Other>
      {error && isUnanswered(error) && <div role="status">{say('passkeyUnanswered')}</div>}
      {error && !isUnanswered(error) && <Failure error={error} />}
    </>
  )
}

const Other = ({ onFollow, children }: { onFollow: () => void; children: string }) => (
  <Button look="link" onPress={onFollow}>
    {children}
  </Button>
)

/** Users with neither password nor code sign in at the provider again, in another tab, so that nothing here is lost. */
function SignInAgain({ visible, onClose, onProved }: ProofDialogProps) {
  const say = useTranslations('account.proof')
  const { provider } = useSession()
  const entrance = provider === 'SAML' ? '/api/auth/saml/login' : '/api/auth/oidc/login?prompt=login'
  return (
    <FormDialog
      visible={visible}
      header={say('title')}
      submit={{ label: say('goOn') }}
      onSubmit={onProved}
      onClose={onClose}
    >
      <p>{say('whyProvider')}</p>
      <AppLink to={entrance} target="_blank">
        {say('signInAgain')} {screenIcons.external} <span className="unseen">{say('newTab')}</span>
      </AppLink>
    </FormDialog>
  )
}
