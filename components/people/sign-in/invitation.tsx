import { useMutation, useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { FailureNotice } from '#components/base/forms/failure-notice'
import { useOneAtATime } from '#components/base/forms/one-at-a-time'
import { useFieldFocus } from '#components/base/forms/use-field-focus'
import { paths } from '#components/base/screens/paths'
import { hasPasskeys, isUnanswered, makePasskey } from '#components/base/session/passkeys'
import { useAttemptForm } from '#components/base/session/use-attempt-form'
import { OpenPage } from '#components/frame/layout/open-page'
import { Starting } from '#components/frame/layout/starting'
import { useTitle } from '#components/frame/layout/title'
import { Button } from '#components/kit/button'
import { PasswordField } from '#components/kit/field'
import { icons } from '#components/kit/icons'
import { Notice } from '#components/kit/notice'
import {
  acceptInvitation,
  invitationPasskeyOptions,
  invitationQuery,
} from '#lib/caller/auth/invitations.queries'
import type { Invitation as InvitationDocument } from '#lib/caller/auth/session.schema'
import { ApiFailure } from '#lib/client/api'
import { Heading, Outcome } from './heading'
import { faultOfNewPassword, refusalOfNewPassword } from './new-password-faults'
import { usePlace } from './place'
import { BackToSignIn } from './place-link'
import { SendForm } from './send-form'
import styles from './sign-in.module.css'

/** The target of an invitation's link: the user chooses a password or makes a passkey, and is signed in. */
export function Invitation() {
  const { token } = usePlace()
  const say = useTranslations('signIn.invitation')
  const read = useQuery(invitationQuery(token))
  useTitle(say('tab'))
  if (read.isLoading) return <Starting />
  return (
    <OpenPage>
      <div className={styles.stack}>
        {read.data ? (
          <Accept token={token} invitation={read.data} />
        ) : token !== '' && !isOver(read.error) ? (
          <FailureNotice error={read.error} />
        ) : (
          <Outcome title={say(token === '' ? 'noLink' : 'over')}>{say('overLead')}</Outcome>
        )}
        <BackToSignIn />
      </div>
    </OpenPage>
  )
}

const isOver = (error: unknown): boolean =>
  error instanceof ApiFailure && (error.has('SIGN-IN-10') || error.has('USER-28'))

/** Loads the console again, because the session of another user may have ended. */
const enter = () => window.location.replace(paths.home())

type AcceptProps = { token: string; invitation: InvitationDocument }

function Accept({ token, invitation }: AcceptProps) {
  const say = useTranslations('signIn.invitation')
  const sayNew = useTranslations('signIn.newPassword')
  const sayCommon = useTranslations('common')
  const { nick, name, enterprise, passwordMinLength: least, requiresTwoFactor } = invitation
  const { form, field, ...attempt } = useAttemptForm({
    first: { password: '' },
    mutation: useMutation({
      mutationFn: ({ password }: { password: string }) => acceptInvitation({ token, password }),
      gcTime: 0,
      onSuccess: enter,
    }),
    check: ({ password }) => atPassword(faultOfNewPassword(sayNew, password, least)),
    refusalOf: (error) => atPassword(refusalOfNewPassword(sayNew, error)),
  })
  useFieldFocus(form.ref, 'shown')
  return (
    <form {...form} className={styles.stack}>
      <Heading title={say('title', { name })}>
        {say.rich('lead', { enterprise, nick: () => <strong>{nick}</strong> })}
      </Heading>
      {requiresTwoFactor && <Notice>{say('twoFactor', { enterprise })}</Notice>}
      {/* Names the account of the password for a password manager. */}
      <input name="username" autoComplete="username" value={nick} readOnly hidden />
      <PasswordField
        {...field('password')}
        large
        name="password"
        label={say('password')}
        hint={sayNew('hint', { least })}
        show={sayCommon('showPassword')}
        autoComplete="new-password"
      />
      <SendForm {...attempt} text={say('send')} loadingText={say('busy')} tooMany={sayNew('tooMany')} />
      {invitation.passkey && hasPasskeys() && <ByPasskey token={token} />}
    </form>
  )
}

const atPassword = (fault: string | undefined) => (fault ? { password: fault } : {})

function ByPasskey({ token }: { token: string }) {
  const say = useTranslations('signIn.invitation')
  const guard = useOneAtATime()
  const make = useMutation({
    mutationFn: async () => {
      const response = await makePasskey(await invitationPasskeyOptions(token))
      return acceptInvitation({ token, passkey: { name: say('passkeyName'), response } })
    },
    gcTime: 0,
    onSuccess: enter,
  })
  return (
    <>
      <Button wide icon={icons.key} busy={make.isPending} onPress={() => guard(() => make.mutateAsync())}>
        {say('passkey')}
      </Button>
      {make.error &&
        (isUnanswered(make.error) ? (
          <Notice role="status">{say('unanswered')}</Notice>
        ) : (
          <FailureNotice error={make.error} />
        ))}
    </>
  )
}
