import Alert from '@cloudscape-design/components/alert'
import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { FaultText } from '#components/forms/failure'
import { AppLink } from '#components/screens/app-link'
import { useScreenOf } from '#components/session/session'
import { type LinkDocument, linkOf } from '#lib/http/view'
import type { ImpactEntry, ImpactEntryType, ScopeImpact } from '#lib/scopes/scopes.schema'
import styles from './scopes.module.css'

/** What a link leads to by its name: a link to its screen, in a tab of its own, if the user may open it. */
function Thing({ link, name = link.title ?? '' }: { link: LinkDocument; name?: string }) {
  const say = useTranslations('scopes.impact')
  const screen = useScreenOf()(link)
  if (!screen) return name
  return (
    <AppLink
      to={screen}
      external
      variant="primary"
      fontSize="inherit"
      externalIconAriaLabel={say('opensTab')}
    >
      {name}
    </AppLink>
  )
}

/** So many of each are named at most. */
const blockersNamed = 10

const advised = [
  ...(['SCOPE-0', 'SCOPE-1', 'SCOPE-2', 'SCOPE-3', 'SCOPE-5', 'SCOPE-7', 'SCOPE-8', 'SCOPE-10'] as const),
  ...([
    'SCOPE-11',
    'SCOPE-12',
    'SCOPE-13',
    'SCOPE-17',
    'SCOPE-18',
    'SCOPE-19',
    'SCOPE-20',
    'SCOPE-21',
  ] as const),
]

type RefusalsProps = { title: string; refusals: ScopeImpact['refusals'] }

/** Everything that refuses a change, what stands in the way, and what to do about it. */
export function Refusals({ title, refusals }: RefusalsProps) {
  const say = useTranslations('scopes.impact')
  const words = useTranslations('common')
  const adviceOn = (refused: string) => {
    const code = advised.find((known) => known === refused)
    return code && say(`advice.${code}`)
  }
  return (
    <Alert type="error" header={title} i18nStrings={{ errorIconAriaLabel: words('errorIcon') }}>
      <ul className={styles.refusals}>
        {refusals.map(({ code, message, links }) => (
          <li key={`${code} ${message}`}>
            <FaultText fault={{ code, message }} />
            {links.length > 0 && (
              <ul className={styles.names}>
                {links.map((link) => (
                  <li key={link.href}>
                    <Thing link={link} />
                  </li>
                ))}
              </ul>
            )}
            <Box variant="small" color="inherit" display="block">
              {links.length >= blockersNamed && <>{say('first', { count: links.length })} </>}
              {adviceOn(code)}
            </Box>
          </li>
        ))}
      </ul>
    </Alert>
  )
}

const effects = ['gained', 'lost', 'users', 'roles', 'templates', 'enterprises'] as const

export const isQuiet = ({ totals }: ScopeImpact): boolean => effects.every((effect) => totals[effect] === 0)

/** What a change does, and for whom. */
export function Effects({ impact }: { impact: ScopeImpact }) {
  const say = useTranslations('scopes.impact')
  if (isQuiet(impact)) return <Box color="text-body-secondary">{say('noEffects')}</Box>
  return (
    <SpaceBetween size="m">
      {effects
        .filter((effect) => impact.totals[effect] > 0)
        .map((effect) => (
          <Effect key={effect} effect={effect} entries={impact[effect]} total={impact.totals[effect]} />
        ))}
    </SpaceBetween>
  )
}

const shownAtFirst = 9

type EffectProps = { effect: (typeof effects)[number]; entries: readonly ImpactEntry[]; total: number }

function Effect({ effect, entries, total }: EffectProps) {
  const say = useTranslations('scopes.impact')
  const [all, setAll] = useState(false)
  const shown = all ? entries : entries.slice(0, shownAtFirst)
  const left = entries.length - shown.length
  const unnamed = total - entries.length
  return (
    <section>
      <Box variant="h3" padding="n">
        {say(effect)}{' '}
        <Box variant="span" color="text-body-secondary">
          {say('total', { count: total })}
        </Box>
      </Box>
      <ul className={styles.names}>
        {shown.map((entry) => (
          <li key={`${entry.type} ${entry.id}`}>
            <Entry entry={entry} isMixed={effect === 'gained' || effect === 'lost'} />
          </li>
        ))}
      </ul>
      {left > 0 && (
        <Button variant="inline-link" iconName="add-plus" onClick={() => setAll(true)}>
          {say('showMore', { count: left })}
        </Button>
      )}
      {unnamed > 0 && (
        <Box variant="small" display="block">
          {say('unnamed', { count: unnamed })}
        </Box>
      )}
    </section>
  )
}

const relOf: Record<ImpactEntryType, string> = {
  ENTERPRISE: 'enterprise',
  DATACENTER: 'datacenter',
  USER: 'user',
  ROLE: 'role',
  TEMPLATE: 'virtualmachinetemplate',
}

/** One of the affected; in a list of several kinds it says what it is. */
function Entry({ entry, isMixed }: { entry: ImpactEntry; isMixed: boolean }) {
  const say = useTranslations('scopes.impact.kinds')
  const link = linkOf(entry, relOf[entry.type])
  return (
    <>
      {link ? <Thing link={link} name={entry.name} /> : entry.name}
      {isMixed && (entry.type === 'ENTERPRISE' || entry.type === 'DATACENTER') && (
        <Box variant="small" display="block">
          {say(entry.type)}
        </Box>
      )}
    </>
  )
}
