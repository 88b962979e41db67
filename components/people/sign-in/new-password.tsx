import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useFieldFocus } from '#components/base/forms/use-field-focus'
import { paths } from '#components/base/screens/paths'
import { useAttemptForm } from '#components/base/session/use-attempt-form'
import { OpenPage } from '#components/frame/layout/open-page'
import { useTitle } from '#components/frame/layout/title'
import { LinkButton } from '#components/kit/button'
import { PasswordField } from '#components/kit/field'
import { resetPassword, signInWaysQuery } from '#lib/caller/auth/session.queries'
import { PASSWORD_LENGTH } from '#lib/ground/password-length'
import { Heading, Outcome } from './heading'
import { faultOfNewPassword, isSpentLink, refusalOfNewPassword } from './new-password-faults'
import { follow, goInstead, usePlace } from './place'
import { BackToSignIn } from './place-link'
import { SendForm } from './send-form'
import styles from './sign-in.module.css'

/** The target of the mailed link. */
export function NewPassword() {
  const { token } = usePlace()
  const [isSpent, setSpent] = useState(false)
  const say = useTranslations('signIn.newPassword')
  useTitle(say('tab'))
  return (
    <OpenPage>
      <div className={styles.stack}>
        {isSpent ? (
          <NoLink title={say('spent')}>{say('spentLead')}</NoLink>
        ) : token === '' ? (
          <NoLink title={say('noLink')}>{say('noLinkLead')}</NoLink>
        ) : (
          <SetPassword token={token} onSpent={() => setSpent(true)} />
        )}
        <BackToSignIn />
      </div>
    </OpenPage>
  )
}

function NoLink({ title, children }: { title: string; children: string }) {
  const say = useTranslations('signIn.newPassword')
  return (
    <>
      <Outcome title={title}>{children}</Outcome>
      <LinkButton look="main" wide href={paths.forgotPassword()} onClick={follow(paths.forgotPassword())}>
        {say('askAnew')}
      </LinkButton>
    </>
  )
}

function SetPassword({ token, onSpent }: { token: string; onSpent: () => void }) {
  const say = useTranslations('signIn.newPassword')
  const sayCommon = useTranslations('common')
  const { data: ways } = useQuery(signInWaysQuery)
  const least = ways?.passwordMinLength ?? PASSWORD_LENGTH.least
  const { form, field, ...attempt } = useAttemptForm({
    first: { password: '' },
    mutation: useMutation({
      mutationFn: ({ password }: { password: string }) => resetPassword({ token, password }),
      gcTime: 0,
      onSuccess: () => goInstead(paths.signIn(), { passwordSet: true }),
      onError: (error) => isSpentLink(error) && onSpent(),
    }),
    check: ({ password }) => atPassword(faultOfNewPassword(say, password, least)),
    refusalOf: (error) => atPassword(refusalOfNewPassword(say, error)),
  })
  useFieldFocus(form.ref, 'shown')
  return (
    <form {...form} className={styles.stack}>
      <Heading title={say('title')}>{say('lead')}</Heading>
      <PasswordField
        {...field('password')}
        large
        name="password"
        label={say('field')}
        hint={say('hint', { least })}
        show={sayCommon('showPassword')}
        autoComplete="new-password"
      />
      <SendForm {...attempt} text={say('send')} loadingText={say('busy')} tooMany={say('tooMany')} />
    </form>
  )
}

const atPassword = (fault: string | undefined) => (fault ? { password: fault } : {})
