import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { FaultText } from '#components/base/forms/failure'
import { ScreenLink } from '#components/base/session/screen-link'
import { Button } from '#components/kit/button'
import { Stack } from '#components/kit/layout'
import { Notice } from '#components/kit/notice'
import { screenIcons } from '#components/kit/screen-icons'
import type { ImpactEntry, ImpactEntryType, ScopeImpact } from '#lib/caller/scopes/scopes.schema'
import { type LinkDocument, linkOf } from '#lib/ground/http/view'
import styles from './scopes.module.css'

/** The name of an item, linked to its screen in a new tab. */
function AffectedLink({ link, name }: { link: LinkDocument; name?: string }) {
  const say = useTranslations('scopes.impact')
  return (
    <ScreenLink link={link} newTab={say('opensTab')}>
      {name ?? link.title ?? ''}
    </ScreenLink>
  )
}

/** The API names at most this many of each kind. */
const blockersNamed = 10

/** The refusals that have advice (words of `scopes.impact.advice`). */
const advised = [0, 1, 2, 3, 5, 7, 8, 10, 11, 12, 13, 17, 18, 19, 20, 21] as const

type RefusalsProps = { title: string; refusals: ScopeImpact['refusals'] }

/** Every refusal of a change, with its causes and advice. */
export function Refusals({ title, refusals }: RefusalsProps) {
  const say = useTranslations('scopes.impact')
  const adviceOn = (refused: string) => {
    const number = advised.find((known) => `SCOPE-${known}` === refused)
    return number !== undefined && say(`advice.SCOPE-${number}`)
  }
  return (
    <Notice kind="bad" title={title}>
      <ul className={styles.refusals}>
        {refusals.map(({ code, message, links }) => (
          <li key={`${code} ${message}`}>
            <FaultText fault={{ code, message }} />
            {links.length > 0 && (
              <ul className={styles.names}>
                {links.map((link) => (
                  <li key={link.href}>
                    <AffectedLink link={link} />
                  </li>
                ))}
              </ul>
            )}
            <div className="small">
              {links.length >= blockersNamed && <>{say('first', { count: links.length })} </>}
              {adviceOn(code)}
            </div>
          </li>
        ))}
      </ul>
    </Notice>
  )
}

const effects = ['gained', 'lost', 'users', 'roles', 'templates', 'enterprises'] as const

export const isQuiet = ({ totals }: ScopeImpact): boolean => effects.every((effect) => totals[effect] === 0)

/** The effects of a change, and the affected users. */
export function Effects({ impact }: { impact: ScopeImpact }) {
  const say = useTranslations('scopes.impact')
  if (isQuiet(impact)) return <div className="quiet">{say('noEffects')}</div>
  return (
    <Stack>
      {effects
        .filter((effect) => impact.totals[effect] > 0)
        .map((effect) => (
          <Effect
            key={effect}
            title={say(effect)}
            entries={impact[effect]}
            total={impact.totals[effect]}
            isMixed={effect === 'gained' || effect === 'lost'}
          />
        ))}
    </Stack>
  )
}

const shownAtFirst = 9

type EffectProps = { title: string; entries: readonly ImpactEntry[]; total: number; isMixed?: boolean }

/** The first affected items of a change, and their number. */
export function Effect({ title, entries, total, isMixed = false }: EffectProps) {
  const say = useTranslations('scopes.impact')
  const [all, setAll] = useState(false)
  const shown = all ? entries : entries.slice(0, shownAtFirst)
  const left = entries.length - shown.length
  const unnamed = total - entries.length
  return (
    <section>
      <h3>
        {title} <span className="quiet">{say('total', { count: total })}</span>
      </h3>
      <ul className={styles.names}>
        {shown.map((entry) => (
          <li key={`${entry.type} ${entry.id}`}>
            <Entry entry={entry} isMixed={isMixed} />
          </li>
        ))}
      </ul>
      {left > 0 && (
        <Button look="link" icon={screenIcons.plus} onPress={() => setAll(true)}>
          {say('showMore', { count: left })}
        </Button>
      )}
      {unnamed > 0 && <div className="small">{say('unnamed', { count: unnamed })}</div>}
    </section>
  )
}

const relOf: Record<ImpactEntryType, string> = {
  ENTERPRISE: 'enterprise',
  DATACENTER: 'datacenter',
  USER: 'user',
  ROLE: 'role',
  TEMPLATE: 'virtualmachinetemplate',
  PRIVILEGE: 'privilege',
}

/** An affected item; in a list of mixed kinds with its kind. */
function Entry({ entry, isMixed }: { entry: ImpactEntry; isMixed: boolean }) {
  const say = useTranslations('scopes.impact.kinds')
  const link = linkOf(entry, relOf[entry.type])
  return (
    <>
      {link ? <AffectedLink link={link} name={entry.name} /> : entry.name}
      {isMixed && (entry.type === 'ENTERPRISE' || entry.type === 'DATACENTER') && (
        <div className="small">{say(entry.type)}</div>
      )}
    </>
  )
}
