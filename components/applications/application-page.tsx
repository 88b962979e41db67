import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import CopyToClipboard from '@cloudscape-design/components/copy-to-clipboard'
import Header from '@cloudscape-design/components/header'
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Spinner from '@cloudscape-design/components/spinner'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate, useParams } from 'react-router'
import { useTranslations } from 'use-intl'
import { Failure } from '#components/forms/failure'
import { Page } from '#components/layout/page'
import { paths } from '#components/screens/paths'
import { useSession } from '#components/session/session'
import { applicationQuery } from '#lib/applications/applications.queries'
import type { ApplicationDocument } from '#lib/applications/applications.schema'
import { proof } from '#lib/client/waiting'
import { RemoveApplication, RotateSecret } from './application-dialogs'
import { ExposedSecret } from './exposed-secret'
import { PrivilegeList } from './privilege-list'
import { SignatureFailures } from './signature-failures'

const idOf = (text = ''): number => (/^[1-9]\d{0,14}$/.test(text) ? Number(text) : 0)

/** One of the user's own programs: what it signs with, and what went wrong with that. */
export function Component() {
  const say = useTranslations('applications.page')
  const sayAccount = useTranslations('account')
  const sayCommon = useTranslations('common')
  const session = useSession()
  const navigate = useNavigate()
  const id = idOf(useParams<'application'>().application)
  const read = useQuery(applicationQuery(session, id))
  const [dialog, setDialog] = useState<'none' | 'rotate' | 'remove'>('none')
  const application = read.data?.document
  const close = () => setDialog('none')
  return (
    <Page
      title={application?.name ?? say('unknown', { id: String(id) })}
      description={application?.description}
      breadcrumbs={[{ text: sayAccount('title'), href: paths.account() }]}
      actions={
        application && (
          <SpaceBetween direction="horizontal" size="xs">
            <Button onClick={() => setDialog('rotate')}>{say('newSecret')}</Button>
            <Button onClick={() => setDialog('remove')}>{sayCommon('delete')}</Button>
          </SpaceBetween>
        )
      }
    >
      {application ? (
        <SpaceBetween size="l">
          {application.secretExposed && <ExposedSecret onRenew={() => setDialog('rotate')} />}
          <Credentials application={application} onProved={() => read.refetch()} />
          <Container header={<Header variant="h2">{say('reach')}</Header>}>
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
        <RemoveApplication
          owner={session}
          application={application}
          onRemoved={() => void navigate(paths.account())}
          onClose={close}
        />
      )}
    </Page>
  )
}

const privilegesOf = ({ links }: ApplicationDocument): string[] =>
  links.flatMap(({ rel, title }) => (rel === 'privilege' && title ? [title] : []))

type CredentialsProps = { application: ApplicationDocument; onProved: () => Promise<unknown> }

function Credentials({ application, onProved }: CredentialsProps) {
  const say = useTranslations('applications.page')
  const site = window.location.origin
  const address = (label: string, path: string) => ({
    label,
    value: <Copyable text={`${site}${path}`} copyLabel={say('copyAddress')} />,
  })
  return (
    <Container
      header={
        <Header variant="h2" description={say('credentialsAbout')}>
          {say('credentials')}
        </Header>
      }
    >
      <KeyValuePairs
        columns={2}
        minColumnWidth={280}
        items={[
          { label: say('key'), value: <Copyable text={application.apiKey} copyLabel={say('copyKey')} /> },
          { label: say('secret'), value: <Secret text={application.apiSecret} onProved={onProved} /> },
          address(say('requestToken'), '/oauth/request_token'),
          address(say('authorize'), '/oauth/authorize'),
          address(say('accessToken'), '/oauth/access_token'),
          { label: say('rsaKey'), value: say(application.publicKey ? 'keyRegistered' : 'noKey') },
        ]}
      />
    </Container>
  )
}

function Copyable({ text, copyLabel }: { text: string; copyLabel: string }) {
  const say = useTranslations('common')
  return (
    <CopyToClipboard
      variant="inline"
      textToCopy={text}
      copyButtonAriaLabel={copyLabel}
      copySuccessText={say('copied')}
      copyErrorText={say('noCopy')}
    />
  )
}

/**
 * Covered until it is asked for: whoever looks over the shoulder could sign with it. In a session that began a while ago the server keeps
 * it back until the user has proved who they are.
 */
function Secret({ text, onProved }: { text: string | undefined; onProved: () => Promise<unknown> }) {
  const say = useTranslations('applications.page')
  const [isShown, setShown] = useState(false)
  const toggle = async () => {
    if (text === undefined) {
      if (!(await proof.wait())) return
      await onProved()
    }
    setShown(!isShown)
  }
  return (
    <SpaceBetween direction="horizontal" size="xs" alignItems="center">
      {isShown && text !== undefined ? (
        <Copyable text={text} copyLabel={say('copySecret')} />
      ) : (
        <span aria-hidden="true">{'•'.repeat(12)}</span>
      )}
      <Button variant="inline-link" onClick={() => void toggle()}>
        {say(isShown && text !== undefined ? 'hide' : 'show')}
      </Button>
    </SpaceBetween>
  )
}
