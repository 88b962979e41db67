import Box from '@cloudscape-design/components/box'
import type { KeyValuePairsProps } from '@cloudscape-design/components/key-value-pairs'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import type { SessionDocument } from '#lib/auth/session.schema'
import { codeWords } from './code-words'

const fewCodes = 3

/** What the account page says of two factor authentication. */
export function twoFactorFacts(session: SessionDocument): KeyValuePairsProps.Item[] {
  const { twoFactorProvider, scratchCodesLeft, email } = session
  if (!twoFactorProvider) return factsWhenOff
  return [
    { label: 'State', value: <StatusIndicator type="success">On</StatusIndicator> },
    {
      label: 'Code from',
      value: (
        <>
          {codeWords[twoFactorProvider].name}
          {twoFactorProvider === 'EMAIL' && <Hint>{email}</Hint>}
        </>
      ),
    },
    { label: 'Scratch codes left', value: <ScratchCodesLeft count={scratchCodesLeft} /> },
  ]
}

const Hint = ({ children }: { children: string }) => (
  <Box variant="small" display="block">
    {children}
  </Box>
)

const factsWhenOff = [
  {
    label: 'State',
    value: (
      <>
        <StatusIndicator type="stopped">Off</StatusIndicator>
        <Hint>Whoever learns your password can sign in as you.</Hint>
      </>
    ),
  },
]

const ScratchCodesLeft = ({ count }: { count: number }) =>
  count > fewCodes ? (
    count
  ) : (
    <>
      <StatusIndicator type="warning">{count === 0 ? 'None' : count}</StatusIndicator>
      <Hint>Get new ones before you need them.</Hint>
    </>
  )
