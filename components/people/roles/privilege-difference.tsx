import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { useSession } from '#components/base/session/session'
import { Button } from '#components/kit/button'
import { Card, Stack } from '#components/kit/layout'
import { Badge, Status } from '#components/kit/status'
import { Effect, Refusals } from '#components/scopes/impact-lists'
import type { Privilege } from '#lib/caller/auth/privileges'
import { useSettled } from '#lib/client/use-settled'
import { roleImpactQuery, type SentRole } from '#lib/people/identity/roles.queries'
import { differenceOf } from './privilege-groups'
import styles from './roles.module.css'

type PrivilegeDifferenceProps = {
  role: number
  before: readonly Privilege[]
  draft: SentRole
  onUndo: () => void
}

/** The privileges that saving would add and remove, the users who gain or lose them, and the refusals of the change. */
export function PrivilegeDifference({ role, before, draft, onUndo }: PrivilegeDifferenceProps) {
  const say = useTranslations('roles.difference')
  const { added, removed } = differenceOf(before, draft.privilege)
  const isNone = added.length + removed.length === 0
  const isOwn = useSession().role.id === role
  return (
    <div role="status">
      <Card title={say('title')} actions={!isNone && <Button onPress={onUndo}>{say('undo')}</Button>}>
        {isNone && <div className="quiet">{say('none')}</div>}
        <Stack>
          {added.length > 0 && (
            <Names title={say('added', { count: added.length })} names={added} kind="good" />
          )}
          {isOwn && removed.length > 0 && <Status kind="warn">{say('own')}</Status>}
          {removed.length > 0 && (
            <Names title={say('removed', { count: removed.length })} names={removed} kind="bad" />
          )}
          {!isNone && <Impact role={role} draft={draft} />}
        </Stack>
      </Card>
    </div>
  )
}

function Names({ title, names, kind }: { title: string; names: readonly Privilege[]; kind: 'good' | 'bad' }) {
  const nameOf = useTranslations('roles.privileges')
  return (
    <Stack gap="s">
      <strong>{title}</strong>
      <div className={styles.badges}>
        {names.map((name) => (
          <Badge key={name} kind={kind}>
            {nameOf(name)}
          </Badge>
        ))}
      </div>
    </Stack>
  )
}

/** The impact of the draft, after a pause in the changes. An incomplete draft has none. */
function Impact({ role, draft }: { role: number; draft: SentRole }) {
  const say = useTranslations('roles.difference')
  const settled = useSettled(draft, 400)
  const { data: impact } = useQuery({ ...roleImpactQuery(role, settled), retry: false })
  if (!impact) return null
  return (
    <>
      {impact.refusals.length > 0 && <Refusals title={say('refused')} refusals={impact.refusals} />}
      {impact.totals.users > 0 ? (
        <Effect title={say('users')} entries={impact.users} total={impact.totals.users} />
      ) : (
        <div className="quiet">{say('nobody')}</div>
      )}
    </>
  )
}
