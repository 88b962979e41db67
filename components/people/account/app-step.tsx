import Alert from '@cloudscape-design/components/alert'
import Box from '@cloudscape-design/components/box'
import CopyToClipboard from '@cloudscape-design/components/copy-to-clipboard'
import Grid from '@cloudscape-design/components/grid'
import KeyValuePairs, { type KeyValuePairsProps } from '@cloudscape-design/components/key-value-pairs'
import Link from '@cloudscape-design/components/link'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { QRCodeSVG } from 'qrcode.react'
import { useTranslations } from 'use-intl'
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
        <Alert type="error" header={say('noKey')}>
          {say('noKeyText')}
        </Alert>
      )}
    </StepFrame>
  )
}

function Key({ address, authenticatorKey }: { address: string; authenticatorKey: AuthenticatorKey }) {
  const say = useTranslations('account.enrolment.app')
  return (
    <Grid gridDefinition={[{ colspan: { default: 12, xs: 5 } }, { colspan: { default: 12, xs: 7 } }]}>
      <SpaceBetween size="xs">
        <Box variant="h3">{say('scan')}</Box>
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
          <Link href={address} target="_blank">
            {say('onThisDevice')}
          </Link>
        </div>
      </SpaceBetween>
      <SpaceBetween size="s">
        <Box variant="h3">{say('type')}</Box>
        <KeyValuePairs columns={1} items={factsToType(say, authenticatorKey)} />
      </SpaceBetween>
    </Grid>
  )
}

const factsToType = (
  say: Say<'account.enrolment.app'>,
  { secret, issuer, account }: AuthenticatorKey,
): KeyValuePairsProps.Item[] => [
  {
    label: say('key'),
    value: (
      <SpaceBetween size="xs">
        <span className={styles.secret}>{inGroupsOfFour(secret)}</span>
        <CopyToClipboard
          copyButtonText={say('copyKey')}
          textToCopy={secret}
          copySuccessText={say('keyCopied')}
          copyErrorText={say('noCopy')}
        />
      </SpaceBetween>
    ),
  },
  ...(issuer ? [{ label: say('issuer'), value: issuer }] : []),
  { label: say('account'), value: account },
  { label: say('kind'), value: say('kindText') },
]
