import SpaceBetween from '@cloudscape-design/components/space-between'
import { access } from '#components/access'
import { Page } from '#components/layout/page'
import { useMay, useSession } from '#components/layout/session'
import { AccessCard } from './access-card'
import { DatacentersCard } from './datacenters-card'
import { greetingAt } from './greeting'
import styles from './home.module.css'
import { SecurityCard } from './security-card'

export function Component() {
  const { name, nick, enterprise } = useSession()
  const mayDatacenters = useMay(...access.datacenters)
  return (
    <Page title="Home" heading={`${greetingAt(new Date())}, ${name || nick}`} description={enterprise.name}>
      <div className={mayDatacenters ? styles.twoColumns : styles.oneColumn}>
        {mayDatacenters && <DatacentersCard />}
        <SpaceBetween size="l">
          <SecurityCard />
          <AccessCard />
        </SpaceBetween>
      </div>
    </Page>
  )
}
