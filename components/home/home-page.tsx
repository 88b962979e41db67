import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { useTranslations } from 'use-intl'
import { access } from '#components/base/screens/access'
import { AppButton, AppLink } from '#components/base/screens/app-link'
import { useIsPast } from '#components/base/screens/as-of'
import { paths } from '#components/base/screens/paths'
import { useMay, useMissing, useSession } from '#components/base/session/session'
import { firstDatacenters } from '#components/cloud/nat/nat-use'
import { PublishButton } from '#components/cloud/publish/publish-button'
import { Page } from '#components/frame/layout/page'
import { Facts } from '#components/kit/facts'
import { Card, Stack } from '#components/kit/layout'
import { Status } from '#components/kit/status'
import type { SessionDocument } from '#lib/caller/auth/session.schema'
import { natUseQuery } from '#lib/cloud/nat/networks.queries'
import { ChangesCard } from './changes-card'
import { NatCards } from './datacenters-card'
import { FirstSteps } from './first-steps'
import styles from './home.module.css'
import { NeedsCard } from './needs-card'
import { useOwnChanges } from './use-own-changes'
import { WeekCard } from './week-card'
import { YoursCard } from './yours-card'

export function Component() {
  useOwnChanges()
  const { name, nick, enterprise, viewer } = useSession()
  const mayDatacenters = useMay(...access.datacenters)
  const mayEvents = useMay(...access.events)
  const isPast = useIsPast()
  const isEndUser = useMay('VDC_ENUMERATE') && !mayDatacenters
  const mayPublish = useMissing(...access.publish).length === 0
  const isWide = mayDatacenters || mayEvents
  const say = useTranslations('home')
  const label = useTranslations('labels')
  // The first administrator is called like the enterprise.
  const called = name && name !== enterprise.name ? name : nick
  const greeting = say(`greeting.${partOfDay(new Date())}`, { name: called })
  return (
    <Page
      title={say('title')}
      actions={!isEndUser && mayPublish && <PublishAction />}
      heading={greeting}
      description={`${label('enterprise')}: ${enterprise.name}`}
    >
      <div className={styles.column}>
        {!isPast && <NeedsCard />}
        {!isPast && <FirstSteps />}
        {isEndUser && <YoursCard />}
        <div className={isWide && !isPast ? styles.twoColumns : styles.oneColumn}>
          {isWide && (
            <div className={styles.column}>
              {mayDatacenters && <NatCards />}
              {mayEvents && <ChangesCard />}
              {mayEvents && !isPast && <WeekCard />}
            </div>
          )}
          {!isPast && (
            <div className={styles.column}>
              {!viewer && <SecurityCard />}
              <AccessCard />
            </div>
          )}
        </div>
      </div>
    </Page>
  )
}

/** An installation without NAT IPs has nothing to publish. The place of the button is kept until that is known. */
function PublishAction() {
  const uses = useQuery({ ...natUseQuery(firstDatacenters), enabled: useMay(...access.natNetworks) })
  // The palette asks for the dialog, which says what is missing.
  const isAsked = useSearchParams()[0].get('do') === 'publish'
  const { collection = [], totalSize = 0 } = uses.data ?? {}
  const isEmpty = collection.length === totalSize && collection.every(({ ips }) => ips === 0)
  if (uses.data && isEmpty && !isAsked) return null
  return (
    <span style={{ visibility: uses.isLoading ? 'hidden' : 'visible' }}>
      <PublishButton />
    </span>
  )
}

function partOfDay(time: Date): 'morning' | 'afternoon' | 'evening' {
  const hour = time.getHours()
  if (hour < 5 || hour >= 18) return 'evening'
  return hour < 12 ? 'morning' : 'afternoon'
}

/** The user's role and scope. */
function AccessCard() {
  const { role, scope } = useSession()
  const say = useTranslations('home.access')
  const label = useTranslations('labels')
  const mayOpenScope = useMay(...access.scope)
  const mayOpenRole = useMay(...access.roles)
  return (
    <Card title={say('title')}>
      <Facts
        items={[
          {
            label: label('role'),
            value: mayOpenRole ? <AppLink to={paths.role(role.id)}>{role.name}</AppLink> : role.name,
          },
          {
            label: label('scope'),
            value: mayOpenScope ? <AppLink to={paths.scope(scope.id)}>{scope.name}</AppLink> : scope.name,
          },
          { label: say('reach'), value: say(`reaches.${reachOf(scope)}`) },
        ]}
      />
    </Card>
  )
}

function reachOf({ allDatacenters, allEnterprises }: SessionDocument['scope']) {
  if (allDatacenters && allEnterprises) return 'everything'
  if (allDatacenters) return 'allDatacenters'
  return allEnterprises ? 'allEnterprises' : 'scope'
}

/** The state of two factor, and the next step. */
function SecurityCard() {
  const { twoFactorProvider, isEnrolling, scratchCodesLeft } = useSession()
  const say = useTranslations('home.signIn')
  return (
    <Card title={say('title')}>
      {twoFactorProvider && !isEnrolling ? <On scratchCodes={scratchCodesLeft} /> : <Off />}
    </Card>
  )
}

function Off() {
  const say = useTranslations('home.signIn')
  return (
    <Stack>
      <div>
        <Status kind="warn">{say('off')}</Status>
        <p className="quiet">{say('offWhy')}</p>
      </div>
      <AppButton to={paths.twoFactor()}>{say('setUp')}</AppButton>
    </Stack>
  )
}

const fewCodes = 3

function On({ scratchCodes }: { scratchCodes: number }) {
  const say = useTranslations('home.signIn')
  const codesLeft = say('codesLeft', { count: scratchCodes })
  return (
    <Stack gap="s">
      <Status kind="good">{say('on')}</Status>
      {scratchCodes < fewCodes ? (
        <Status kind="warn">
          {codesLeft} {say('newCodes')}
        </Status>
      ) : (
        <div className="quiet">{codesLeft}</div>
      )}
      <AppLink to={paths.account()}>{say('account')}</AppLink>
    </Stack>
  )
}
