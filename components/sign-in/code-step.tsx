import Button from '@cloudscape-design/components/button'
import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { Seconds } from '#components/layout/seconds'
import { Heading } from './card'
import { SendForm } from './send-form'
import styles from './sign-in.module.css'
import type { Attempt } from './use-sign-in'

const scratchCode = 'One of your 8-digit scratch codes does as well, once.'

const anotherCode = 'Another code is on its way. The one before works no more.'

const texts = {
  'app-code': {
    source: 'The 6 digits that your authenticator app shows now.',
    otherwise: `No phone at hand? ${scratchCode}`,
  },
  'mailed-code': {
    source: 'We have mailed a code to the address of your account.',
    otherwise: `No mail at hand? ${scratchCode}`,
  },
}

export function CodeStep({ attempt, from }: { attempt: Attempt; from: keyof typeof texts }) {
  const { fields, faults, change, isSending, mail } = attempt
  return (
    <SpaceBetween size="l">
      <Heading title="Verification code">
        The password is right. One more step for <strong>{fields.nick}</strong>.
      </Heading>
      <FormField
        label="Code"
        description={mail.isAnother ? anotherCode : texts[from].source}
        constraintText={texts[from].otherwise}
        errorText={faults.code}
        i18nStrings={{ errorIconAriaLabel: 'Error' }}
      >
        <Input
          name="code"
          inputMode="numeric"
          autoComplete="one-time-code"
          disableBrowserAutocorrect
          spellcheck={false}
          readOnly={isSending}
          value={fields.code}
          onChange={({ detail }) => change('code', detail.value)}
        />
      </FormField>
      <SendForm
        {...attempt}
        text="Verify"
        loadingText="Signing in"
        tooMany="Too many failed attempts from here."
      />
      <div className={styles.ways}>
        {from === 'mailed-code' && <AnotherMail attempt={attempt} />}
        <Button
          variant="inline-link"
          formAction="none"
          disabled={isSending || mail.isSending}
          onClick={attempt.startOver}
        >
          Sign in as somebody else
        </Button>
      </div>
    </SpaceBetween>
  )
}

const AnotherMail = ({ attempt: { mail, isSending, wait } }: { attempt: Attempt }) => (
  <div>
    Nothing came?{' '}
    {mail.wait > 0 ? (
      <>
        Ask for another code in <Seconds left={mail.wait} />.
      </>
    ) : (
      <Button
        variant="inline-link"
        formAction="none"
        loading={mail.isSending}
        loadingText="Sending another code"
        disabled={isSending || wait > 0}
        onClick={mail.sendAnother}
      >
        Send another code
      </Button>
    )}
  </div>
)
