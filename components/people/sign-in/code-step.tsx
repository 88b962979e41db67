import Button from '@cloudscape-design/components/button'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useTranslations } from 'use-intl'
import { TextField } from '#components/base/forms/text-field'
import { Seconds } from '#components/base/session/waiting-time'
import { Heading } from './card'
import { PasskeyButton } from './passkey-button'
import { SendForm } from './send-form'
import styles from './sign-in.module.css'
import type { Attempt } from './use-sign-in'

const texts = {
  'app-code': { source: 'fromApp', otherwise: 'withoutApp' },
  'mailed-code': { source: 'fromMail', otherwise: 'withoutMail' },
} as const

export function CodeStep({ attempt, from }: { attempt: Attempt; from: keyof typeof texts }) {
  const { fields, faults, change, isSending, mail } = attempt
  const say = useTranslations('signIn')
  const sayStep = useTranslations('signIn.verification')
  return (
    <SpaceBetween size="l">
      <Heading title={sayStep('title')}>
        {sayStep.rich('lead', { nick: () => <strong>{fields.nick}</strong> })}
      </Heading>
      <TextField
        label={say('code')}
        description={sayStep(mail.isAnother ? 'isAnother' : texts[from].source)}
        constraintText={sayStep(texts[from].otherwise)}
        error={faults.code}
        stretch={false}
        name="code"
        inputMode="numeric"
        autoComplete="one-time-code"
        disableBrowserAutocorrect
        spellcheck={false}
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
      <div className={styles.ways}>
        {from === 'mailed-code' && <AnotherMail attempt={attempt} />}
        <Button
          variant="inline-link"
          formAction="none"
          disabled={isSending || mail.isSending}
          onClick={attempt.startOver}
        >
          {sayStep('somebodyElse')}
        </Button>
      </div>
    </SpaceBetween>
  )
}

function AnotherMail({ attempt: { mail, isSending, wait } }: { attempt: Attempt }) {
  const say = useTranslations('signIn.verification')
  return (
    <div>
      {say('nothingCame')}{' '}
      {mail.wait > 0 ? (
        say.rich('anotherIn', { left: () => <Seconds left={mail.wait} /> })
      ) : (
        <Button
          variant="inline-link"
          formAction="none"
          loading={mail.isSending}
          loadingText={say('sendingAnother')}
          disabled={isSending || wait > 0}
          onClick={mail.sendAnother}
        >
          {say('another')}
        </Button>
      )}
    </div>
  )
}
