import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useTranslations } from 'use-intl'
import { access } from '#components/screens/access'
import { AppLink, useFollow } from '#components/screens/app-link'
import { paths } from '#components/screens/paths'
import { useMay } from '#components/session/session'
import styles from './home.module.css'

/** An installation without a datacenter, or a scope that opens none: what to do next. */
export function FirstSteps() {
  const mayCreate = useMay('PHYS_DC_MANAGE')
  const say = useTranslations('home.firstSteps')
  return (
    <Container header={<Header variant="h2">{mayCreate ? say('title') : say('noDatacenter')}</Header>}>
      {mayCreate ? <Steps /> : <Box color="text-body-secondary">{say('ask')}</Box>}
    </Container>
  )
}

function Steps() {
  const follow = useFollow()
  const say = useTranslations('home.firstSteps')
  const mayScopes = useMay(...access.manageScopes)
  const mayUsers = useMay(...access.manageUsers)
  return (
    <SpaceBetween size="m">
      <Box variant="p">{say('intro')}</Box>
      <ol className={styles.steps}>
        <li>{say.rich('datacenter', { strong })}</li>
        <li>{say.rich('networks', { strong })}</li>
        <li>
          {say.rich('scopes', { strong })}{' '}
          {mayScopes && <AppLink to={paths.newScope()}>{say('newScope')}</AppLink>}
        </li>
        <li>
          {say.rich('users', { strong })} {mayUsers && <AppLink to={paths.users()}>{say('toUsers')}</AppLink>}
        </li>
      </ol>
      <Button variant="primary" href={paths.datacenters()} onFollow={follow}>
        {say('create')}
      </Button>
    </SpaceBetween>
  )
}

const strong = (inside: React.ReactNode) => <strong>{inside}</strong>
