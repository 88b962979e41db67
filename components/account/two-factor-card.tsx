import Box from '@cloudscape-design/components/box'
import Button, { type ButtonProps } from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import { useEffect, useRef, useState } from 'react'
import { useFollow } from '#components/layout/app-link'
import { paths } from '#components/paths'
import type { SessionDocument, TwoFactorProvider } from '#lib/auth/session.schema'
import { DisableDialog } from './disable-dialog'

const providerNames: Record<TwoFactorProvider, string> = {
  APP_AUTHENTICATOR: 'Authenticator app',
  EMAIL: 'E-mail',
}

const fewCodes = 3

/** Is a second proof asked for at sign-in, and how does one change that. */
export function TwoFactorCard({ session }: { session: SessionDocument }) {
  const [dialog, setDialog] = useState<'none' | 'open' | 'done'>('none')
  const { twoFactorProvider, scratchCodesLeft } = session
  return (
    <Container
      header={
        <Header
          variant="h2"
          description="After your password, sign-in asks for a code that only you can have."
          actions={
            twoFactorProvider ? (
              <TurnOff onClick={() => setDialog('open')} />
            ) : (
              <SetUp takesFocus={dialog === 'done'} />
            )
          }
        >
          Two factor authentication
        </Header>
      }
    >
      <KeyValuePairs
        columns={4}
        minColumnWidth={200}
        items={twoFactorProvider ? factsWhenOn(twoFactorProvider, scratchCodesLeft) : factsWhenOff}
      />
      <DisableDialog
        session={session}
        visible={dialog === 'open'}
        onCancel={() => setDialog('none')}
        onDone={() => setDialog('done')}
      />
    </Container>
  )
}

const factsWhenOff = [
  {
    label: 'State',
    value: (
      <>
        <StatusIndicator type="stopped">Off</StatusIndicator>
        <Box variant="small" display="block">
          Whoever learns your password can sign in as you.
        </Box>
      </>
    ),
  },
]

const factsWhenOn = (provider: TwoFactorProvider, scratchCodesLeft: number) => [
  { label: 'State', value: <StatusIndicator type="success">On</StatusIndicator> },
  { label: 'Code from', value: providerNames[provider] },
  { label: 'Scratch codes left', value: <ScratchCodesLeft count={scratchCodesLeft} /> },
]

const ScratchCodesLeft = ({ count }: { count: number }) =>
  count > fewCodes ? (
    count
  ) : (
    <>
      <StatusIndicator type="warning">{count === 0 ? 'None' : count}</StatusIndicator>
      <Box variant="small" display="block">
        For ten new ones, turn two factor authentication off and set it up again.
      </Box>
    </>
  )

/** Takes the focus when it stands in for the button that opened the dialog and is gone. */
function SetUp({ takesFocus }: { takesFocus: boolean }) {
  const button = useRef<ButtonProps.Ref>(null)
  const follow = useFollow()
  useEffect(() => {
    if (takesFocus) button.current?.focus()
  }, [takesFocus])
  return (
    <Button ref={button} variant="primary" href={paths.twoFactor()} onFollow={follow}>
      Set up
    </Button>
  )
}

const TurnOff = ({ onClick }: Pick<ButtonProps, 'onClick'>) => <Button onClick={onClick}>Turn off</Button>
