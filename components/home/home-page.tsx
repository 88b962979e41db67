import { useTranslations } from 'use-intl'
import { Page } from '#components/layout/page'
import { access } from '#components/screens/access'
import { useMay, useSession } from '#components/session/session'
import { AccessCard } from './access-card'
import { EventsCard } from './events-card'
import styles from './home.module.css'
import { NatCards } from './nat-cards'
import { SecurityCard } from './security-card'

export function Component() {
  const { name, nick, enterprise } = useSession()
  const mayDatacenters = useMay(...access.datacenters)
  const mayEvents = useMay(...access.events)
  const say = useTranslations('home')
  const greeting = say(`greeting.${partOfDay(new Date())}`, { name: name || nick })
  return (
    <Page title={say('title')} heading={greeting} description={enterprise.name}>
      <div className={mayDatacenters || mayEvents ? styles.twoColumns : styles.oneColumn}>
        {(mayDatacenters || mayEvents) && (
          <div className={styles.column}>
            {mayDatacenters && <NatCards />}
            {mayEvents && <EventsCard />}
          </div>
        )}
        <div className={styles.column}>
          <SecurityCard />
          <AccessCard />
        </div>
      </div>
    </Page>
  )
}

function partOfDay(time: Date): 'morning' | 'afternoon' | 'evening' {
  const hour = time.getHours()
  if (hour < 5 || hour >= 18) return 'evening'
  return hour < 12 ? 'morning' : 'afternoon'
}
