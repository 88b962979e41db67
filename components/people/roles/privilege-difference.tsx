import Badge from '@cloudscape-design/components/badge'
import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import SpaceBetween from '@cloudscape-design/components/space-between'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { useSession } from '#components/base/session/session'
import { Card } from '#components/frame/layout/card'
import { Effect, Refusals } from '#components/scopes/impact-lists'
import type { Privilege } from '#lib/caller/auth/privileges'
import { useSettled } from '#lib/client/use-settled'
import { privilegesQuery, roleImpactQuery } from '#lib/people/identity/roles.queries'
import { differenceOf } from './privilege-groups'
import { type RoleDraft, sentRole } from './role-draft'
import styles from './roles.module.css'

type PrivilegeDifferenceProps = {
  role: number
  before: readonly Privilege[]
  draft: RoleDraft
  onUndo: () => void
}

/** The privileges that saving would add and remove, the users who gain or lose them, and the refusals of the change. */
export function PrivilegeDifference({ role, before, draft, onUndo }: PrivilegeDifferenceProps) {
  const say = useTranslations('roles.difference')
  const { added, removed } = differenceOf(before, draft.privileges)
  const isNone = added.length + removed.length === 0
  const isOwn = useSession().role.id === role
  return (
    <div role="status">
      <Card
        title={say('title')}
        actions={
          !isNone && (
            <Button formAction="none" onClick={onUndo}>
              {say('undo')}
            </Button>
          )
        }
      >
        {isNone && <Box color="text-body-secondary">{say('none')}</Box>}
        <SpaceBetween size="m">
          {added.length > 0 && (
            <Names title={say('added', { count: added.length })} names={added} color="green" />
          )}
          {isOwn && removed.length > 0 && (
            <StatusIndicator type="warning" wrapText>
              {say('own')}
            </StatusIndicator>
          )}
          {removed.length > 0 && (
            <Names title={say('removed', { count: removed.length })} names={removed} color="red" />
          )}
          {!isNone && <Impact role={role} draft={draft} />}
        </SpaceBetween>
      </Card>
    </div>
  )
}

function Names({
  title,
  names,
  color,
}: {
  title: string
  names: readonly Privilege[]
  color: 'green' | 'red'
}) {
  const nameOf = useTranslations('roles.privileges')
  return (
    <SpaceBetween size="xs">
      <Box variant="strong">{title}</Box>
      <div className={styles.badges}>
        {names.map((name) => (
          <Badge key={name} color={color}>
            {nameOf(name)}
          </Badge>
        ))}
      </div>
    </SpaceBetween>
  )
}

/** The impact of the draft, after a pause in the changes. An incomplete draft has none. */
function Impact({ role, draft }: { role: number; draft: RoleDraft }) {
  const say = useTranslations('roles.difference')
  const settled = useSettled(draft, 400)
  const known = useQuery(privilegesQuery).data
  const { data: impact } = useQuery({
    ...roleImpactQuery(role, sentRole(settled, known ?? [])),
    enabled: known !== undefined,
    retry: false,
  })
  if (!impact) return null
  return (
    <>
      {impact.refusals.length > 0 && <Refusals title={say('refused')} refusals={impact.refusals} />}
      {impact.totals.users > 0 ? (
        <Effect title={say('users')} entries={impact.users} total={impact.totals.users} />
      ) : (
        <Box color="text-body-secondary">{say('nobody')}</Box>
      )}
    </>
  )
}
