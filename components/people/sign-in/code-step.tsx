import { useMutation, useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { FailureNotice } from '#components/base/forms/failure-notice'
import { useOneAtATime } from '#components/base/forms/one-at-a-time'
import { Seconds } from '#components/base/session/waiting-time'
import { Button } from '#components/kit/button'
import { TextField } from '#components/kit/field'
import { Notice } from '#components/kit/notice'
import { requestTwoFactorReset, signInWaysQuery } from '#lib/caller/auth/session.queries'
import { ApiFailure } from '#lib/client/api'
import { waitAfter } from './attempt'
import { Heading } from './heading'
import { PasskeyButton } from './passkey-button'
import { SendForm } from './send-form'
import styles from './sign-in.module.css'
import type { Attempt } from './use-sign-in'

const texts = {
  'app-code': { source: 'fromApp', otherwise: 'withoutApp', lost: 'lost' },
  'mailed-code': { source: 'fromMail', otherwise: 'withoutMail', lost: 'lostMail' },
} as const

export function CodeStep({ attempt, from }: { attempt: Attempt; from: keyof typeof texts }) {
  const { fields, faults, change, isSending, mail } = attempt
  const say = useTranslations('signIn')
  const sayStep = useTranslations('signIn.verification')
  return (
    <>
      <Heading title={sayStep('title')}>
        {sayStep.rich('lead', { nick: () => <strong>{fields.nick}</strong> })}
      </Heading>
      <TextField
        large
        digits
        label={say('code')}
        hint={
          <>
            {sayStep(mail.isAnother ? 'isAnother' : texts[from].source)}
            <br />
            {sayStep(texts[from].otherwise)}
          </>
        }
        error={faults.code}
        name="code"
        inputMode="numeric"
        autoComplete="one-time-code"
        autoCorrect="off"
        spellCheck={false}
        readOnly={isSending}
        value={fields.code}
        onChange={(code) => change('code', code)}
      />
      <SendForm
        {...attempt}
        text={sayStep('verify')}
        loadingText={say('busy')}
        tooMany={say('tooManyFailures')}
      />
      <PasskeyButton attempt={attempt} text="instead" />
      <details>
        <summary>{sayStep(texts[from].lost)}</summary>
        <div className={styles.help}>
          <p className={styles.or}>{sayStep('lostHelp')}</p>
          <AskForReset attempt={attempt} />
        </div>
      </details>
      <div className={styles.ways}>
        {from === 'mailed-code' && <AnotherMail attempt={attempt} />}
        <Button
          look="quiet"
          refused={isSending || mail.isSending ? say('busy') : undefined}
          onPress={attempt.startOver}
        >
          {sayStep('somebodyElse')}
        </Button>
      </div>
    </>
  )
}

/** Where the installation sends mail, it asks the administrators. The password is right: this step comes after it. */
function AskForReset({ attempt: { fields, isSending } }: { attempt: Attempt }) {
  const say = useTranslations('signIn.verification.help')
  const sayBusy = useTranslations('signIn')('busy')
  const { data: ways } = useQuery(signInWaysQuery)
  const guard = useOneAtATime()
  const { nick, password } = fields
  const asking = useMutation({ mutationFn: requestTwoFactorReset, gcTime: 0 })
  const isNobody = asking.error instanceof ApiFailure && asking.error.has('SIGN-IN-8')
  if (!ways?.passwordReset || isNobody) return <p className={styles.or}>{say('byHand', { nick })}</p>
  if (asking.isSuccess || waitAfter(asking.error) !== undefined)
    return (
      <Notice kind="good" role="status" title={say(asking.isSuccess ? 'asked' : 'askedBefore')}>
        {say('next', { nick })}
      </Notice>
    )
  return (
    <>
      <p className={styles.or}>{say('about', { nick })}</p>
      {asking.error && <FailureNotice error={asking.error} />}
      <Button
        wide
        busy={asking.isPending}
        refused={isSending ? sayBusy : undefined}
        onPress={() => guard(() => asking.mutateAsync({ nick, password }))}
      >
        {say('ask')}
      </Button>
    </>
  )
}

function AnotherMail({ attempt: { mail, isSending, wait } }: { attempt: Attempt }) {
  const say = useTranslations('signIn')
  const sayStep = useTranslations('signIn.verification')
  const refused = wait > 0 ? say('tooManyFailures') : isSending ? say('busy') : undefined
  return (
    <div className={styles.another}>
      {sayStep('nothingCame')}{' '}
      {mail.wait > 0 ? (
        sayStep.rich('anotherIn', { left: () => <Seconds left={mail.wait} /> })
      ) : (
        <Button look="quiet" busy={mail.isSending} refused={refused} onPress={mail.sendAnother}>
          {sayStep('another')}
        </Button>
      )}
    </div>
  )
}
