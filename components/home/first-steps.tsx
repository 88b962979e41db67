import Box from '@cloudscape-design/components/box'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useTranslations } from 'use-intl'
import { Card } from '#components/layout/card'
import { access } from '#components/screens/access'
import { AppButton, AppLink } from '#components/screens/app-link'
import { paths } from '#components/screens/paths'
import { useMay } from '#components/session/session'
import styles from './home.module.css'

/** An installation without a datacenter, or a scope that opens none: what to do next. */
export function FirstSteps() {
  const mayCreate = useMay('PHYS_DC_MANAGE')
  const say = useTranslations('home.firstSteps')
  return (
    <Card title={mayCreate ? say('title') : say('noDatacenter')}>
      {mayCreate ? <Steps /> : <Box color="text-body-secondary">{say('ask')}</Box>}
    </Card>
  )
}

function Steps() {
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
      <AppButton variant="primary" to={paths.datacenters()}>
        {say('create')}
      </AppButton>
    </SpaceBetween>
  )
}

const strong = (inside: React.ReactNode) => <strong>{inside}</strong>
