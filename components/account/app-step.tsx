import Alert from '@cloudscape-design/components/alert'
import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import CopyToClipboard from '@cloudscape-design/components/copy-to-clipboard'
import Grid from '@cloudscape-design/components/grid'
import KeyValuePairs, { type KeyValuePairsProps } from '@cloudscape-design/components/key-value-pairs'
import Link from '@cloudscape-design/components/link'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { QRCodeSVG } from 'qrcode.react'
import { type AuthenticatorKey, inGroupsOfFour } from './authenticator-url'
import { LeaveButton } from './leave-guard'
import { StepFrame } from './step-frame'
import styles from './two-factor.module.css'

type AppStepProps = { address: string; authenticatorKey: AuthenticatorKey | undefined; onNext: () => void }

export const AppStep = ({ address, authenticatorKey, onNext }: AppStepProps) => (
  <StepFrame
    provider="APP_AUTHENTICATOR"
    step="app"
    focusHeading
    description="Open an authenticator app on your phone, for example Aegis, Google Authenticator, Microsoft Authenticator or a password manager, and add an entry."
    actions={
      <>
        <LeaveButton />
        <Button variant="primary" onClick={onNext}>
          Next
        </Button>
      </>
    }
  >
    {authenticatorKey ? <Key address={address} authenticatorKey={authenticatorKey} /> : <NoKey />}
  </StepFrame>
)

const Key = ({ address, authenticatorKey }: { address: string; authenticatorKey: AuthenticatorKey }) => (
  <Grid gridDefinition={[{ colspan: { default: 12, xs: 5 } }, { colspan: { default: 12, xs: 7 } }]}>
    <SpaceBetween size="xs">
      <Box variant="h3">Scan this code</Box>
      <QRCodeSVG
        className={styles.qr}
        value={address}
        size={240}
        level="M"
        marginSize={4}
        title={`QR code with the key of ${authenticatorKey.account} for an authenticator app. The same key can be typed.`}
      />
      <div className={styles.onThisDevice}>
        {/* In a tab of its own: as a navigation of this one it would ask whether to leave. */}
        <Link href={address} target="_blank">
          Open in the app on this device
        </Link>
      </div>
    </SpaceBetween>
    <SpaceBetween size="s">
      <Box variant="h3">Or type the key</Box>
      <KeyValuePairs columns={1} items={factsToType(authenticatorKey)} />
    </SpaceBetween>
  </Grid>
)

const factsToType = ({ secret, issuer, account }: AuthenticatorKey): KeyValuePairsProps.Item[] => [
  {
    label: 'Key',
    value: (
      <SpaceBetween size="xs">
        <span className={styles.secret}>{inGroupsOfFour(secret)}</span>
        <CopyToClipboard
          copyButtonText="Copy the key"
          textToCopy={secret}
          copySuccessText="Key copied"
          copyErrorText="The browser does not allow copying here. Select the key and copy it by hand."
        />
      </SpaceBetween>
    ),
  },
  ...(issuer ? [{ label: 'Issuer', value: issuer }] : []),
  { label: 'Account', value: account },
  { label: 'Kind of code', value: 'Time based, 6 digits, every 30 seconds' },
]

const NoKey = () => (
  <Alert
    type="error"
    header="The server sent no key that an app can read"
    i18nStrings={{ errorIconAriaLabel: 'Error' }}
  >
    Keep the scratch codes of the next step. With one of them you can turn two factor authentication off
    again.
  </Alert>
)
