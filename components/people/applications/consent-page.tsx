import Alert from '@cloudscape-design/components/alert'
import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { useTranslations } from 'use-intl'
import { Buttons } from '#components/base/forms/buttons'
import { Failure, Waiting } from '#components/base/forms/failure'
import { useOneAtATime } from '#components/base/forms/one-at-a-time'
import { AppLink } from '#components/base/screens/app-link'
import { paths } from '#components/base/screens/paths'
import { useSession } from '#components/base/session/session'
import { Card } from '#components/frame/layout/card'
import { Page } from '#components/frame/layout/page'
import { ApiFailure } from '#lib/client/api'
import { answerConsent, consentQuery } from '#lib/people/applications/applications.queries'
import type { ConsentDocument } from '#lib/people/applications/applications.schema'
import { PrivilegeList } from './privilege-list'

/** An application has sent the browser here: the user allows it to act in their name, or refuses. */
export function Component() {
  const say = useTranslations('applications.consent')
  const [query] = useSearchParams()
  const token = query.get('oauth_token') ?? ''
  const consent = useQuery({ ...consentQuery(token), enabled: token !== '', retry: false })
  return (
    <Page title={say('title')} maxContentWidth={720}>
      {consent.data ? (
        <Consent token={token} consent={consent.data} />
      ) : token === '' || isOver(consent.error) ? (
        <Over />
      ) : (
        <Waiting read={consent} />
      )}
    </Page>
  )
}

const isOver = (error: unknown): boolean => error instanceof ApiFailure && error.has('OAUTH-1')

function Over() {
  const say = useTranslations('applications.consent')
  return (
    <Alert type="info" header={say('over')}>
      {say.rich('overText', { link: (inside) => <AppLink to={paths.account()}>{inside}</AppLink> })}
    </Alert>
  )
}

function Consent({ token, consent }: { token: string; consent: ConsentDocument }) {
  const say = useTranslations('applications.consent')
  const { nick } = useSession()
  const guard = useOneAtATime()
  const answer = useMutation({
    ...answerConsent(token),
    onSuccess: ({ href }) => window.location.assign(href),
  })
  // After success the browser leaves the page: the buttons stay disabled.
  const isUnderWay = answer.isPending || answer.isSuccess
  const buttonOf = (approve: boolean) => ({
    loading: isUnderWay && answer.variables === approve,
    loadingText: say('sending'),
    disabled: isUnderWay,
    onClick: () => guard(() => answer.mutateAsync(approve)),
  })
  return (
    <Card
      title={consent.application}
      description={consent.description || undefined}
      footer={
        <Buttons>
          <Button variant="link" {...buttonOf(false)}>
            {say('deny')}
          </Button>
          <Button variant="primary" {...buttonOf(true)}>
            {say('approve')}
          </Button>
        </Buttons>
      }
    >
      <SpaceBetween size="l">
        <KeyValuePairs
          columns={3}
          minColumnWidth={180}
          items={[
            { label: say('owner'), value: consent.owner },
            { label: say('actsAs'), value: nick },
            { label: say('goesTo'), value: consent.returnsTo ?? say('asCode') },
          ]}
        />
        <div>
          <Box variant="h3">{say('could')}</Box>
          <PrivilegeList names={consent.privileges} />
        </div>
        <Box color="text-body-secondary">{say('never')}</Box>
        {answer.isError && <Failure error={answer.error} />}
      </SpaceBetween>
    </Card>
  )
}
