import { useTranslations } from 'use-intl'
import { OpenPage } from '#components/frame/layout/open-page'
import { useTitle } from '#components/frame/layout/title'
import type { SessionDocument } from '#lib/caller/auth/session.schema'
import { CodeStep } from './code-step'
import { PasswordStep } from './password-step'
import styles from './sign-in.module.css'
import { useSignIn } from './use-sign-in'

type SignInProps = {
  /** The nick of the session that has just ended, if any. */
  again?: string
  onSignedIn: (session: SessionDocument) => void
}

/** Asks for nick and password, then for the code of users with two factor. */
export function SignIn({ again, onSignedIn }: SignInProps) {
  const attempt = useSignIn(again ?? '', onSignedIn)
  useTitle(useTranslations('signIn')('title'))
  return (
    <OpenPage>
      <form ref={attempt.form} noValidate className={styles.stack} onSubmit={attempt.submit}>
        {attempt.step === 'password' ? (
          <PasswordStep attempt={attempt} ended={again !== undefined} />
        ) : (
          <CodeStep attempt={attempt} from={attempt.step} />
        )}
      </form>
    </OpenPage>
  )
}
