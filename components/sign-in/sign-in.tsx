import { BrandMark } from '#components/layout/brand-mark'
import { productName } from '#components/layout/product'
import { useTitle } from '#components/layout/title'
import type { SessionDocument } from '#lib/auth/session.schema'
import styles from './sign-in.module.css'
import { CodeStep, PasswordStep } from './steps'
import { useSignIn } from './use-sign-in'

type SignInProps = {
  /** Whose session has just ended, if one has. */
  again?: string
  onSignedIn: (session: SessionDocument) => void
}

/** Nick and password; then, for who has two factor, the code. */
export function SignIn({ again, onSignedIn }: SignInProps) {
  const attempt = useSignIn(again ?? '', onSignedIn)
  useTitle('Sign in')
  return (
    <div className={styles.page}>
      <header className={styles.brand}>
        <BrandMark size={36} />
        {productName}
      </header>
      <main className={styles.card}>
        <form ref={attempt.form} noValidate onSubmit={attempt.submit}>
          {attempt.step === 'code' ? (
            <CodeStep attempt={attempt} />
          ) : (
            <PasswordStep attempt={attempt} ended={again !== undefined} />
          )}
        </form>
      </main>
    </div>
  )
}
