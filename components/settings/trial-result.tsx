import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Spinner from '@cloudscape-design/components/spinner'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import Table from '@cloudscape-design/components/table'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { Failure } from '#components/layout/failure'
import { paths } from '#components/paths'
import { trialQuery } from '#lib/federation/mechanisms.queries'
import type { SignInTrial } from '#lib/federation/mechanisms.schema'
import { verdictOf } from './words'

type Attribute = SignInTrial['attributes'][number]

const columns = [
  { id: 'name', header: 'Name', isRowHeader: true, width: 180, cell: ({ name }: Attribute) => name },
  { id: 'value', header: 'Value', minWidth: 140, cell: ({ value }: Attribute) => value },
]

/** What the sign-in would have come to that has just been tried out. */
export function TrialResult({ id }: { id: string }) {
  const navigate = useNavigate()
  const read = useQuery(trialQuery(id))
  if (read.isError) return <Failure error={read.error} />
  return (
    <Container
      header={
        <Header
          variant="h2"
          description="Nobody was signed in, and nothing was changed. You are still who you were."
          actions={
            <Button onClick={() => void navigate(paths.settings(), { replace: true })}>
              Close the result
            </Button>
          }
        >
          Result of the test
        </Header>
      }
    >
      {read.data ? <Shown trial={read.data} /> : <Spinner size="large" />}
    </Container>
  )
}

function Shown({ trial }: { trial: SignInTrial }) {
  const { type, text, detail } = verdictOf(trial)
  const { provider, user, attributes, reason } = trial
  return (
    <SpaceBetween size="l">
      <div role="status">
        <Box variant="h3">
          <StatusIndicator type={type}>{text}</StatusIndicator>
        </Box>
        <Box variant="p">{detail}</Box>
        {reason && (
          <Box variant="p" color="text-body-secondary">
            Reason, as it is in the log: <Box variant="code">{reason}</Box>
          </Box>
        )}
      </div>
      {user && (
        <div>
          <Box variant="h3" padding={{ bottom: 'xs' }}>
            The user that {provider === 'OPENID' ? 'the claims' : 'the attributes'} map to
          </Box>
          <KeyValuePairs columns={3} minColumnWidth={200} items={factsOf(user)} />
        </div>
      )}
      {attributes.length > 0 && <Attributes trial={trial} />}
    </SpaceBetween>
  )
}

const factsOf = ({ nick, name, surname, email, role, enterprise }: NonNullable<SignInTrial['user']>) => [
  { label: 'Nick', value: nick },
  { label: 'Name', value: [name, surname].filter(Boolean).join(' ') || '-' },
  { label: 'E-mail', value: email ?? '-' },
  { label: 'Role', value: role ?? '-' },
  { label: 'Enterprise', value: enterprise ?? '-' },
]

function Attributes({ trial: { provider, attributes } }: { trial: SignInTrial }) {
  const what = provider === 'OPENID' ? 'Claims' : 'Attributes'
  return (
    <Table
      variant="embedded"
      items={attributes}
      columnDefinitions={columns}
      trackBy={({ name, value }) => `${name} ${value}`}
      wrapLines
      ariaLabels={{ tableLabel: what }}
      header={
        <Header variant="h3" counter={`(${attributes.length})`}>
          {what} as they were received
        </Header>
      }
    />
  )
}
