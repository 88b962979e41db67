import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { useTranslations } from 'use-intl'
import { Copy } from '#components/base/forms/copy'
import { Waiting } from '#components/base/forms/failure'
import { useId } from '#components/base/forms/ids'
import { SecretOnce, useNewSecret } from '#components/base/forms/secret-once'
import { paths } from '#components/base/screens/paths'
import { useSession } from '#components/base/session/session'
import { Page } from '#components/frame/layout/page'
import { Button } from '#components/kit/button'
import { Facts } from '#components/kit/facts'
import { Card, Row, Stack } from '#components/kit/layout'
import { applicationQuery } from '#lib/people/applications/applications.queries'
import type { ApplicationDocument } from '#lib/people/applications/applications.schema'
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
  const secret = useNewSecret('application', id)
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
          <Row>
            <Button onPress={() => setDialog('rotate')}>{label('generateSecret')}</Button>
            <Button onPress={() => setDialog('remove')}>{sayCommon('delete')}</Button>
          </Row>
        )
      }
    >
      {application ? (
        <Stack gap="l">
          {application.secretExposed && <ExposedSecret onRenew={() => setDialog('rotate')} />}
          {secret && (
            <SecretOnce secret={secret} label={say('secret')} copyLabel={say('copySecret')}>
              {say('secretPass')}
            </SecretOnce>
          )}
          <Credentials application={application} />
          <Card title={label('reach')}>
            <PrivilegeList names={privilegesOf(application)} />
          </Card>
          <SignatureFailures owner={session} id={id} />
        </Stack>
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

function Credentials({ application }: { application: ApplicationDocument }) {
  const say = useTranslations('applications.page')
  const sayLabel = useTranslations('labels')
  const site = window.location.origin
  const address = (label: string, path: string) => ({
    label,
    value: <Copy inline text={`${site}${path}`} label={say('copyAddress')} />,
  })
  return (
    <Card title={say('credentials')} about={say('credentialsAbout')}>
      <Facts
        columns={2}
        items={[
          {
            label: sayLabel('consumerKey'),
            value: <Copy inline text={application.apiKey} label={say('copyKey')} />,
          },
          { label: say('secret'), value: say('secretHidden') },
          address(say('requestToken'), '/oauth/request_token'),
          address(say('authorize'), '/oauth/authorize'),
          address(say('accessToken'), '/oauth/access_token'),
          { label: say('rsaKey'), value: say(application.publicKey ? 'keyRegistered' : 'noKey') },
        ]}
      />
    </Card>
  )
}
