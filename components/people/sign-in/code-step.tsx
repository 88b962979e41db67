import { useTranslations } from 'use-intl'
import { Seconds } from '#components/base/session/waiting-time'
import { Button } from '#components/kit/button'
import { TextField } from '#components/kit/field'
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
        <p className={styles.or}>{sayStep('lostHelp')}</p>
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
