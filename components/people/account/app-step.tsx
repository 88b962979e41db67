import { QRCodeSVG } from 'qrcode.react'
import { useTranslations } from 'use-intl'
import { CopyButton } from '#components/kit/copy'
import { type Fact, Facts } from '#components/kit/facts'
import { Columns, Stack } from '#components/kit/layout'
import { Notice } from '#components/kit/notice'
import type { Say } from '#lib/words/words'
import { type AuthenticatorKey, inGroupsOfFour } from './authenticator-url'
import { StepFrame } from './step-frame'
import styles from './two-factor.module.css'

type AppStepProps = { address: string; authenticatorKey: AuthenticatorKey | undefined; onNext: () => void }

export function AppStep({ address, authenticatorKey, onNext }: AppStepProps) {
  const say = useTranslations('account.enrolment.app')
  const sayCommon = useTranslations('common')
  const sayEnrolment = useTranslations('account.enrolment')
  return (
    <StepFrame
      provider="APP_AUTHENTICATOR"
      step="app"
      focusHeading
      description={say('about')}
      back={{ label: sayEnrolment('leave') }}
      next={{ label: sayCommon('next') }}
      onNext={onNext}
    >
      {authenticatorKey ? (
        <Key address={address} authenticatorKey={authenticatorKey} />
      ) : (
        <Notice kind="bad" title={say('noKey')}>
          {say('noKeyText')}
        </Notice>
      )}
    </StepFrame>
  )
}

function Key({ address, authenticatorKey }: { address: string; authenticatorKey: AuthenticatorKey }) {
  const say = useTranslations('account.enrolment.app')
  return (
    <Columns count={2}>
      <Stack gap="s">
        <h3>{say('scan')}</h3>
        <QRCodeSVG
          className={styles.qr}
          value={address}
          size={240}
          level="M"
          marginSize={4}
          title={say('qr', { account: authenticatorKey.account })}
        />
        <div className={styles.onThisDevice}>
          {/* In another tab: a navigation of this one would ask whether to leave. */}
          <a href={address} target="_blank" rel="noreferrer">
            {say('onThisDevice')}
          </a>
        </div>
      </Stack>
      <Stack>
        <h3>{say('type')}</h3>
        <Facts columns={1} items={factsToType(say, authenticatorKey)} />
      </Stack>
    </Columns>
  )
}

const factsToType = (
  say: Say<'account.enrolment.app'>,
  { secret, issuer, account }: AuthenticatorKey,
): readonly Fact[] => [
  {
    label: say('key'),
    value: (
      <Stack gap="s">
        <span className={styles.secret}>{inGroupsOfFour(secret)}</span>
        <CopyButton text={secret} label={say('copyKey')} copied={say('keyCopied')} failed={say('noCopy')}>
          {say('copyKey')}
        </CopyButton>
      </Stack>
    ),
  },
  ...(issuer ? [{ label: say('issuer'), value: issuer }] : []),
  { label: say('account'), value: account },
  { label: say('kind'), value: say('kindText') },
]
