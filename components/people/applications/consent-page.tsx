import { useMutation, useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { useTranslations } from 'use-intl'
import { Buttons } from '#components/base/forms/buttons'
import { Failure, Waiting } from '#components/base/forms/failure'
import { useOneAtATime } from '#components/base/forms/one-at-a-time'
import { AppLink } from '#components/base/screens/app-link'
import { paths } from '#components/base/screens/paths'
import { useSession } from '#components/base/session/session'
import { productName } from '#components/frame/layout/product'
import { useTitle } from '#components/frame/layout/title'
import { Button } from '#components/kit/button'
import { Facts } from '#components/kit/facts'
import { Card, Stack } from '#components/kit/layout'
import { Notice } from '#components/kit/notice'
import { ApiFailure } from '#lib/client/api'
import { answerConsent, consentQuery } from '#lib/people/applications/applications.queries'
import type { ConsentDocument } from '#lib/people/applications/applications.schema'
import styles from './applications.module.css'
import { PrivilegeList } from './privilege-list'

/** An application has sent the browser here: the user allows it to act in their name, or refuses. */
export function Component() {
  const say = useTranslations('applications.consent')
  const [query] = useSearchParams()
  const token = query.get('oauth_token') ?? ''
  const consent = useQuery({ ...consentQuery(token), enabled: token !== '', retry: false })
  const { nick } = useSession()
  const application = consent.data?.application
  useTitle(say('title'))
  return (
    <div className={styles.consent}>
      <div className="quiet">{productName()}</div>
      <h1>{application === undefined ? say('title') : say('heading', { application, nick })}</h1>
      {consent.data ? (
        <Consent token={token} consent={consent.data} />
      ) : token === '' || isOver(consent.error) ? (
        <Over />
      ) : (
        <Waiting read={consent} />
      )}
    </div>
  )
}

const isOver = (error: unknown): boolean => error instanceof ApiFailure && error.has('OAUTH-1')

function Over() {
  const say = useTranslations('applications.consent')
  return (
    <Notice title={say('over')}>
      {say.rich('overText', { link: (inside) => <AppLink to={paths.account()}>{inside}</AppLink> })}
    </Notice>
  )
}

function Consent({ token, consent }: { token: string; consent: ConsentDocument }) {
  const say = useTranslations('applications.consent')
  const guard = useOneAtATime()
  const answer = useMutation({
    ...answerConsent(token),
    onSuccess: ({ href }) => window.location.assign(href),
  })
  // After success the browser leaves the page: the buttons stay disabled.
  const isUnderWay = answer.isPending || answer.isSuccess
  const buttonOf = (approve: boolean) => ({
    busy: isUnderWay && answer.variables === approve,
    busyText: say('sending'),
    disabled: isUnderWay,
    onPress: () => guard(() => answer.mutateAsync(approve)),
  })
  return (
    <Card
      footer={
        <Buttons>
          <Button look="quiet" {...buttonOf(false)}>
            {say('deny')}
          </Button>
          <Button look="main" {...buttonOf(true)}>
            {say('approve')}
          </Button>
        </Buttons>
      }
    >
      <Stack gap="l">
        {consent.description && <div>{consent.description}</div>}
        <Facts
          columns={2}
          items={[
            { label: say('owner'), value: consent.owner },
            { label: say('goesTo'), value: consent.returnsTo ?? say('asCode') },
          ]}
        />
        <div>
          <h2>{say('could')}</h2>
          <PrivilegeList names={consent.privileges} />
        </div>
        <div className="quiet">{say('never')}</div>
        {answer.isError && <Failure error={answer.error} />}
      </Stack>
    </Card>
  )
}
