import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import Link from '@cloudscape-design/components/link'
import { useMutation } from '@tanstack/react-query'
import { type SubmitEvent, useEffect, useId, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { Dialog } from '#components/forms/dialog'
import { Failure, Refusal } from '#components/forms/failure'
import { PasswordField } from '#components/forms/password-field'
import { proveByCode, proveByPassword } from '#lib/auth/proof.queries'
import { ApiFailure } from '#lib/client/api'
import { CodeDialog } from './code-dialog'
import { useSession } from './session'
import { isTooMany, TooMany, useWait } from './too-many'

type ProofDialogProps = { visible: boolean; onEnd: (isProved: boolean) => void }

/** Asks for the password or a code before a change of the account; the change goes on by itself then. */
export default function ProofDialog({ visible, onEnd }: ProofDialogProps) {
  const session = useSession()
  const [byCode, setByCode] = useState(false)
  const hasCode = session.twoFactorProvider !== undefined
  if (!session.hasPassword && !hasCode) return <SignInAgain visible={visible} onEnd={onEnd} />
  if (byCode || !session.hasPassword)
    return (
      <ByCode
        visible={visible}
        onEnd={onEnd}
        {...(session.hasPassword && { onOther: () => setByCode(false) })}
      />
    )
  return <ByPassword visible={visible} onEnd={onEnd} {...(hasCode && { onOther: () => setByCode(true) })} />
}

/** A dialog is mounted before it opens: Cloudscape takes the focus from a field of one that is open from the beginning. */
function useOpening(visible: boolean): boolean {
  const [isMounted, setMounted] = useState(false)
  useEffect(() => setMounted(true), [])
  return visible && isMounted
}

type WayProps = ProofDialogProps & {
  /** Leads to the other way to prove it, where there are two. */
  onOther?: () => void
}

function ByPassword({ visible: isWanted, onEnd, onOther }: WayProps) {
  const visible = useOpening(isWanted)
  const say = useTranslations('account.proof')
  const sayCommon = useTranslations('common')
  const { nick } = useSession()
  const formId = useId()
  const form = useRef<HTMLFormElement>(null)
  const [password, setPassword] = useState('')
  const [isMissing, setMissing] = useState(false)
  const prove = useMutation(proveByPassword())
  const wait = useWait(prove)
  const focus = () => form.current?.querySelector<HTMLInputElement>('input[name=password]')?.focus()
  // Cloudscape itself would give the focus to the button that closes.
  useEffect(() => {
    if (visible) form.current?.querySelector<HTMLInputElement>('input[name=password]')?.focus()
  }, [visible])

  const end = (isProved: boolean) => {
    setPassword('')
    setMissing(false)
    prove.reset()
    onEnd(isProved)
  }
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    // The form may stand inside another one, as React sees it.
    event.stopPropagation()
    if (prove.isPending || wait > 0) return
    setMissing(password === '')
    if (password === '') return focus()
    prove.mutate(password, { onSuccess: () => end(true), onError: focus })
  }
  const isWrong = prove.error instanceof ApiFailure && prove.error.has('SIGN-IN-3')
  const fault = isMissing ? say('missing') : isWrong && <Refusal error={prove.error}>{say('wrong')}</Refusal>
  return (
    <Dialog
      visible={visible}
      header={say('title')}
      onDismiss={() => end(false)}
      actions={
        <>
          <Button variant="link" onClick={() => end(false)}>
            {sayCommon('cancel')}
          </Button>
          <Button
            variant="primary"
            form={formId}
            loading={prove.isPending}
            loadingText={say('checking')}
            disabled={wait > 0}
          >
            {say('goOn')}
          </Button>
        </>
      }
    >
      <Box variant="p">{say('why')}</Box>
      <form ref={form} id={formId} onSubmit={submit} noValidate>
        <PasswordField
          label={say('password')}
          fault={fault}
          autoComplete="current-password"
          readOnly={prove.isPending}
          value={password}
          onChange={(value) => {
            setPassword(value)
            setMissing(false)
          }}
        />
        {/* A password manager learns whose password it is. */}
        <input name="username" autoComplete="username" value={nick} readOnly hidden />
      </form>
      {wait > 0 ? (
        <TooMany wait={wait} of="password" />
      ) : (
        prove.isError && !isWrong && !isTooMany(prove.error) && <Failure error={prove.error} />
      )}
      {onOther && <Other onFollow={onOther}>{say('useCode')}</Other>}
    </Dialog>
  )
}

function ByCode({ visible, onEnd, onOther }: WayProps) {
  const say = useTranslations('account.proof')
  const session = useSession()
  const prove = useMutation(proveByCode())
  return (
    <CodeDialog
      session={session}
      visible={useOpening(visible)}
      header={say('title')}
      takesScratchCodes
      action={say('goOn')}
      actionUnderWay={say('checking')}
      mutation={prove}
      onAccepted={() => {
        prove.reset()
        onEnd(true)
      }}
      onCancel={() => onEnd(false)}
    >
      <Box variant="p">{say('why')}</Box>
      {onOther && <Other onFollow={onOther}>{say('usePassword')}</Other>}
    </CodeDialog>
  )
}

const Other = ({ onFollow, children }: { onFollow: () => void; children: string }) => (
  <Link variant="primary" onFollow={onFollow}>
    {children}
  </Link>
)

/** With neither password nor code a new sign-in at the provider proves it; in another tab, so that nothing here is lost. */
function SignInAgain({ visible, onEnd }: ProofDialogProps) {
  const say = useTranslations('account.proof')
  const sayCommon = useTranslations('common')
  const { provider } = useSession()
  const entrance = provider === 'SAML' ? '/api/auth/saml/login' : '/api/auth/oidc/login?prompt=login'
  return (
    <Dialog
      visible={visible}
      header={say('title')}
      onDismiss={() => onEnd(false)}
      actions={
        <>
          <Button variant="link" onClick={() => onEnd(false)}>
            {sayCommon('cancel')}
          </Button>
          <Button variant="primary" onClick={() => onEnd(true)}>
            {say('goOn')}
          </Button>
        </>
      }
    >
      <Box variant="p">{say('whyProvider')}</Box>
      <Link external href={entrance} externalIconAriaLabel={say('newTab')}>
        {say('signInAgain')}
      </Link>
    </Dialog>
  )
}
