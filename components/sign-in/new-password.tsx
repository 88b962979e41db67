import Button from '@cloudscape-design/components/button'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useMutation } from '@tanstack/react-query'
import { type SubmitEvent, useRef, useState } from 'react'
import { PasswordField } from '#components/layout/password-field'
import { useTitle } from '#components/layout/title'
import { paths } from '#components/paths'
import { resetPassword } from '#lib/auth/session.queries'
import { useFieldFocus } from '../layout/use-field-focus'
import { waitAfter } from './attempt'
import { Card, Heading, Outcome } from './card'
import { faultOfNewPassword, isSpentLink, refusalOfNewPassword } from './new-password-faults'
import { go, goInstead, usePlace } from './place'
import { BackToSignIn } from './place-link'
import { SendForm } from './send-form'
import { useCountdown } from './use-countdown'

/** Where the mailed link leads. */
export function NewPassword() {
  const { token } = usePlace()
  const [isSpent, setSpent] = useState(false)
  useTitle('New password')
  return (
    <Card>
      <SpaceBetween size="l">
        {isSpent ? (
          <NoLink title="This link was used already or has run out">
            A link sets one password, and is good for 30 minutes. Ask for a new one.
          </NoLink>
        ) : token === '' ? (
          <NoLink title="Open the link in your mail">
            A new password is set by the link that we mail to you. Open it once more from the mail, or ask for
            a new one.
          </NoLink>
        ) : (
          <SetPassword token={token} onSpent={() => setSpent(true)} />
        )}
        <BackToSignIn />
      </SpaceBetween>
    </Card>
  )
}

const NoLink = ({ title, children }: { title: string; children: string }) => (
  <SpaceBetween size="l">
    <Outcome title={title}>{children}</Outcome>
    <Button
      variant="primary"
      fullWidth
      href={paths.forgotPassword()}
      onFollow={(event) => {
        event.preventDefault()
        go(paths.forgotPassword())
      }}
    >
      Ask for a new link
    </Button>
  </SpaceBetween>
)

function SetPassword({ token, onSpent }: { token: string; onSpent: () => void }) {
  const form = useRef<HTMLFormElement>(null)
  const [password, setPassword] = useState('')
  const [fault, setFault] = useState<{ password: string }>()
  const [wait, beginWait] = useCountdown()
  const { error, isPending, mutate, reset } = useMutation({
    mutationFn: resetPassword,
    gcTime: 0,
    onSuccess: () => goInstead(paths.signIn(), { passwordSet: true }),
    onError: (refused) => {
      beginWait(waitAfter(refused) ?? 0)
      if (isSpentLink(refused)) onSpent()
    },
  })
  const refusal = refusalOfNewPassword(error)
  useFieldFocus(form, 'shown')
  useFieldFocus(form, refusal ? error : fault)

  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (isPending || wait > 0) return
    const found = faultOfNewPassword(password)
    setFault(found === undefined ? undefined : { password: found })
    if (found !== undefined) return reset()
    mutate({ token, password })
  }

  return (
    <form ref={form} noValidate onSubmit={submit}>
      <SpaceBetween size="l">
        <Heading title="Set a new password">
          You are then signed out everywhere, and sign in with the new one.
        </Heading>
        <PasswordField
          label="New password"
          hint="12 characters at least. A few words in a row are easy to keep."
          fault={refusal ?? fault?.password}
          autoComplete="new-password"
          readOnly={isPending}
          value={password}
          onChange={setPassword}
        />
        <SendForm
          text="Set the password"
          loadingText="Setting the password"
          isSending={isPending}
          failure={refusal || waitAfter(error) ? null : error}
          wait={wait}
          tooMany="Too many attempts from here."
        />
      </SpaceBetween>
    </form>
  )
}
