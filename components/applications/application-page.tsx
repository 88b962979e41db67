import Button from '@cloudscape-design/components/button'
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { useTranslations } from 'use-intl'
import { Copy } from '#components/forms/copy'
import { Waiting } from '#components/forms/failure'
import { useId } from '#components/forms/ids'
import { Card } from '#components/layout/card'
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

/** One of the user's own programs: its credentials and its failed signatures. */
export function Component() {
  const say = useTranslations('applications.page')
  const label = useTranslations('labels')
  const sayAccount = useTranslations('account')
  const sayCommon = useTranslations('common')
  const session = useSession()
  const navigate = useNavigate()
  const id = useId('application')
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
            <Button onClick={() => setDialog('rotate')}>{label('generateSecret')}</Button>
            <Button onClick={() => setDialog('remove')}>{sayCommon('delete')}</Button>
          </SpaceBetween>
        )
      }
    >
      {application ? (
        <SpaceBetween size="l">
          {application.secretExposed && <ExposedSecret onRenew={() => setDialog('rotate')} />}
          <Credentials application={application} onProved={() => read.refetch()} />
          <Card title={label('reach')}>
            <PrivilegeList names={privilegesOf(application)} />
          </Card>
          <SignatureFailures owner={session} id={id} />
        </SpaceBetween>
      ) : (
        <Waiting read={read} />
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
  const sayLabel = useTranslations('labels')
  const site = window.location.origin
  const address = (label: string, path: string) => ({
    label,
    value: <Copy inline text={`${site}${path}`} label={say('copyAddress')} />,
  })
  return (
    <Card title={say('credentials')} description={say('credentialsAbout')}>
      <KeyValuePairs
        columns={2}
        minColumnWidth={280}
        items={[
          {
            label: sayLabel('consumerKey'),
            value: <Copy inline text={application.apiKey} label={say('copyKey')} />,
          },
          { label: say('secret'), value: <Secret text={application.apiSecret} onProved={onProved} /> },
          address(say('requestToken'), '/oauth/request_token'),
          address(say('authorize'), '/oauth/authorize'),
          address(say('accessToken'), '/oauth/access_token'),
          { label: say('rsaKey'), value: say(application.publicKey ? 'keyRegistered' : 'noKey') },
        ]}
      />
    </Card>
  )
}

/**
 * Hidden until the user shows it, because anybody who reads it over the shoulder could sign with it. In an older session the server withholds
 * the secret until the user has entered their password or a code.
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
        <Copy inline text={text} label={say('copySecret')} />
      ) : (
        <span aria-hidden="true">{'•'.repeat(12)}</span>
      )}
      <Button variant="inline-link" onClick={() => void toggle()}>
        {say(isShown && text !== undefined ? 'hide' : 'show')}
      </Button>
    </SpaceBetween>
  )
}
