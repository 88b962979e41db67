import { useQueries } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { useNamedList } from '#components/base/pickers/named-picker'
import { AppLink } from '#components/base/screens/app-link'
import { paths } from '#components/base/screens/paths'
import { useMayPick } from '#components/base/session/session'
import { SinceMark, usePresentDocument } from '#components/frame/as-of/present'
import { Button } from '#components/kit/button'
import { Card, Stack } from '#components/kit/layout'
import { ManyPicker } from '#components/kit/picker'
import { screenIcons } from '#components/kit/screen-icons'
import { namedQuery } from '#lib/caller/kinds/named.queries'
import { entitiesOf } from '#lib/caller/scopes/scopes.queries'
import type { ScopeDocument, ScopeEntityType } from '#lib/caller/scopes/scopes.schema'
import styles from './scopes.module.css'

/* The enterprises and datacenters that a scope names. */

const entityKinds = { ENTERPRISE: 'enterprise', DATACENTER: 'datacenter' } as const satisfies Record<
  ScopeEntityType,
  string
>

/** Each name takes a request of its own, so a list shows this many at first. */
const namesAtOnce = 12

/** The names of enterprises or datacenters. While a name is loading or hidden, its kind and id stand for it. */
export function useEntityNames(type: ScopeEntityType, ids: readonly number[]): string[] {
  const say = useTranslations('scopes.kinds')
  const enabled = useMayPick(entityKinds[type])
  const answers = useQueries({
    queries: ids.map((id) => ({ ...namedQuery(entityKinds[type], id), enabled })),
  })
  return ids.map((id, index) => answers[index]?.data?.document.name ?? say(`${type}.one`, { id: String(id) }))
}

/** The first names of a long list, and the button that shows more of them. */
function useFirstNames(type: ScopeEntityType, ids: readonly number[]) {
  const say = useTranslations('scopes')
  const [shown, setShown] = useState(namesAtOnce)
  const names = useEntityNames(type, ids.slice(0, shown))
  const left = ids.length - names.length
  const more = left > 0 && (
    <Button look="link" icon={screenIcons.plus} onPress={() => setShown(shown + namesAtOnce)}>
      {say('tree.more', { count: Math.min(left, namesAtOnce), left })}
    </Button>
  )
  return { names, more }
}

/** The card of a scope's page with its enterprises or datacenters. */
export function EntityList({ scope, type }: { scope: ScopeDocument; type: ScopeEntityType }) {
  const say = useTranslations('scopes.kinds')
  const format = useFormatter()
  const ids = entitiesOf(scope, type)
  const present = usePresentDocument(scope)
  const unlimited = type === 'ENTERPRISE' ? scope.automaticAddEnterprise : scope.automaticAddDatacenter
  return (
    <Card
      title={say(`${type}.title`)}
      counter={`(${unlimited ? say(`${type}.all`) : format.number(ids.length)})`}
      fill
    >
      {unlimited ? (
        <>
          {say(`${type}.everything`)}
          {ids.length > 0 && <p>{say(`${type}.namedBeside`, { count: ids.length })}</p>}
        </>
      ) : (
        <Names type={type} ids={ids} now={present ? entitiesOf(present, type) : ids} />
      )}
    </Card>
  )
}

type NamesProps = { type: ScopeEntityType; ids: readonly number[]; now: readonly number[] }

/** The names of then, and those that were added since. */
function Names({ type, ids, now }: NamesProps) {
  const say = useTranslations('scopes.kinds')
  const all = [...new Set([...ids, ...now])]
  const { names, more } = useFirstNames(type, all)
  const mayOpen = useMayPick(entityKinds[type])
  const markOf = (id: number) => {
    if (!ids.includes(id)) return <SinceMark since="added" />
    return now.includes(id) ? undefined : <SinceMark since="removed" />
  }
  if (all.length === 0) return <div className="quiet">{say(`${type}.none`)}</div>
  return (
    <Stack>
      <ul className={styles.names}>
        {names.map((name, index) => (
          <li key={all[index]}>
            {mayOpen ? <AppLink to={paths[entityKinds[type]](all[index] ?? 0)}>{name}</AppLink> : name}{' '}
            {markOf(all[index] ?? 0)}
          </li>
        ))}
      </ul>
      {more}
    </Stack>
  )
}

type EntityPickerProps = {
  type: ScopeEntityType
  ids: readonly number[]
  /** The scope contains everything of this kind, so its entities have no effect. */
  unlimited: boolean
  error: ReactNode
  onChange: (ids: number[]) => void
}

/** Enterprises or datacenters of a scope: a search on the server, with the chosen ones below. */
export function EntityPicker({ type, ids, unlimited, error, onChange }: EntityPickerProps) {
  const say = useTranslations('scopes')
  const { mayRead, found, searchProps } = useNamedList(entityKinds[type])
  const { names, more } = useFirstNames(type, ids)
  const blocked = unlimited ? 'unlimited' : mayRead ? undefined : 'mayNotList'
  return (
    <Stack gap="s">
      <ManyPicker
        {...searchProps}
        label={say(`kinds.${type}.title`)}
        hint={blocked && say(`kinds.${type}.${blocked}`)}
        error={error}
        disabled={blocked !== undefined}
        options={found}
        ids={ids}
        chosen={names.map((name, index) => ({ id: ids[index] ?? 0, name }))}
        removeLabel={(name) => say('picker.remove', { name })}
        onChange={onChange}
      />
      {more}
    </Stack>
  )
}
