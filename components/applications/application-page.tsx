import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import CopyToClipboard from '@cloudscape-design/components/copy-to-clipboard'
import Header from '@cloudscape-design/components/header'
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Spinner from '@cloudscape-design/components/spinner'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useParams } from 'react-router'
import { Failure } from '#components/layout/failure'
import { Page } from '#components/layout/page'
import { useSession } from '#components/layout/session'
import { paths } from '#components/paths'
import { applicationQuery } from '#lib/oauth/applications.queries'
import type { ApplicationDocument } from '#lib/oauth/applications.schema'
import { PrivilegeList } from './privilege-list'
import { RemoveApplication } from './remove-application'
import { RotateSecret } from './rotate-secret'
import { SignatureFailures } from './signature-failures'

const idOf = (text = ''): number => (/^[1-9]\d{0,14}$/.test(text) ? Number(text) : 0)

/** One of the user's own programs: what it signs with, and what went wrong with that. */
export function Component() {
  const session = useSession()
  const id = idOf(useParams<'application'>().application)
  const read = useQuery(applicationQuery(session, id))
  const [dialog, setDialog] = useState<'none' | 'rotate' | 'remove'>('none')
  const application = read.data?.document
  const close = () => setDialog('none')
  return (
    <Page
      title={application?.name ?? `Application ${id}`}
      description={application?.description}
      breadcrumbs={[{ text: 'My account', href: paths.account() }]}
      actions={
        application && (
          <SpaceBetween direction="horizontal" size="xs">
            <Button onClick={() => setDialog('rotate')}>New secret</Button>
            <Button onClick={() => setDialog('remove')}>Delete</Button>
          </SpaceBetween>
        )
      }
    >
      {application ? (
        <SpaceBetween size="l">
          <Credentials application={application} />
          <Container header={<Header variant="h2">What it may do</Header>}>
            <PrivilegeList names={privilegesOf(application)} />
          </Container>
          <SignatureFailures owner={session} id={id} />
        </SpaceBetween>
      ) : read.isError ? (
        <Failure error={read.error} retry={() => void read.refetch()} />
      ) : (
        <Spinner size="large" />
      )}
      {application && dialog === 'rotate' && (
        <RotateSecret owner={session} application={application} onClose={close} />
      )}
      {application && dialog === 'remove' && (
        <RemoveApplication owner={session} application={application} onClose={close} />
      )}
    </Page>
  )
}

const privilegesOf = ({ links }: ApplicationDocument): string[] =>
  links.flatMap(({ rel, title }) => (rel === 'privilege' && title ? [title] : []))

function Credentials({ application }: { application: ApplicationDocument }) {
  const site = window.location.origin
  return (
    <Container
      header={
        <Header variant="h2" description="What the program signs its requests with, by OAuth 1.0a.">
          Credentials
        </Header>
      }
    >
      <KeyValuePairs
        columns={2}
        minColumnWidth={280}
        items={[
          { label: 'Consumer key', value: <Copyable text={application.apiKey} what="consumer key" /> },
          { label: 'Consumer secret', value: <Secret text={application.apiSecret ?? ''} /> },
          { label: 'Request token', value: <Copyable text={`${site}/oauth/request_token`} what="address" /> },
          { label: 'Authorize', value: <Copyable text={`${site}/oauth/authorize`} what="address" /> },
          { label: 'Access token', value: <Copyable text={`${site}/oauth/access_token`} what="address" /> },
          {
            label: 'RSA key',
            value: application.publicKey ? 'Registered' : 'None: it signs with the secret',
          },
        ]}
      />
    </Container>
  )
}

const Copyable = ({ text, what }: { text: string; what: string }) => (
  <CopyToClipboard
    variant="inline"
    textToCopy={text}
    copyButtonAriaLabel={`Copy the ${what}`}
    copySuccessText="Copied"
    copyErrorText="The browser does not allow copying here. Select the text and copy it by hand."
  />
)

/** Covered until it is asked for: whoever looks over the shoulder could sign with it. */
function Secret({ text }: { text: string }) {
  const [isShown, setShown] = useState(false)
  return (
    <SpaceBetween direction="horizontal" size="xs" alignItems="center">
      {isShown ? <Copyable text={text} what="consumer secret" /> : <Box variant="code">{'•'.repeat(12)}</Box>}
      <Button variant="inline-link" onClick={() => setShown(!isShown)}>
        {isShown ? 'Hide' : 'Show the secret'}
      </Button>
    </SpaceBetween>
  )
}
