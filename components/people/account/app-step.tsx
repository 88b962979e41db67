import { QRCodeSVG } from 'qrcode.react'
import { useTranslations } from 'use-intl'
import { CopyButton } from '#components/kit/copy'
import { type Fact, Facts } from '#components/kit/facts'
import { Columns, Stack } from '#components/kit/layout'
import { Notice } from '#components/kit/notice'
import type { Say } from '#lib/words/words'
import { type AuthenticatorKey, inGroupsOfFour } from './authenticator-url'
import { AppHints, Code, ProofFrame, useProof } from './proof-step'
import styles from './two-factor.module.css'

type AppStepProps = { address: string; authenticatorKey: AuthenticatorKey | undefined; onProved: () => void }

/** The key for the app, and beside it the field for the first code of the app. */
export function AppStep({ address, authenticatorKey, onProved }: AppStepProps) {
  const say = useTranslations('account.enrolment.app')
  const form = useProof(onProved)
  const code = <Code form={form} provider="APP_AUTHENTICATOR" source={say('codeFrom')} hints={<AppHints />} />
  return (
    <ProofFrame form={form} provider="APP_AUTHENTICATOR" step="app" description={say('about')}>
      {authenticatorKey ? (
        <Columns count={2}>
          <Scan address={address} account={authenticatorKey.account} />
          <Stack gap="l">
            <div>
              <h3>{say('code')}</h3>
              {code}
            </div>
            <div>
              <h3>{say('type')}</h3>
              <Facts columns={1} items={factsToType(say, authenticatorKey)} />
            </div>
          </Stack>
        </Columns>
      ) : (
        <Notice kind="bad" title={say('noKey')}>
          {say('noKeyText')}
        </Notice>
      )}
    </ProofFrame>
  )
}

function Scan({ address, account }: { address: string; account: string }) {
  const say = useTranslations('account.enrolment.app')
  return (
    <Stack gap="s">
      <h3>{say('scan')}</h3>
      <QRCodeSVG
        className={styles.qr}
        value={address}
        size={240}
        level="M"
        marginSize={4}
        title={say('qr', { account })}
      />
      <div className={styles.onThisDevice}>
        {/* In another tab: a navigation of this one would ask whether to leave. */}
        <a href={address} target="_blank" rel="noreferrer">
          {say('onThisDevice')}
        </a>
      </div>
    </Stack>
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
