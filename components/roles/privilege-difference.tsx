import Badge from '@cloudscape-design/components/badge'
import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import SpaceBetween from '@cloudscape-design/components/space-between'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { Card } from '#components/layout/card'
import { access } from '#components/screens/access'
import { useMay, useSession } from '#components/session/session'
import type { Privilege } from '#lib/auth/privileges'
import { usersQuery } from '#lib/identity/users.queries'
import { differenceOf } from './privilege-groups'
import styles from './roles.module.css'

type PrivilegeDifferenceProps = {
  role: number
  before: readonly Privilege[]
  after: readonly Privilege[]
  onUndo: () => void
}

/** The privileges that saving would add and remove, and the number of users concerned. */
export function PrivilegeDifference({ role, before, after, onUndo }: PrivilegeDifferenceProps) {
  const say = useTranslations('roles.difference')
  const { added, removed } = differenceOf(before, after)
  const isNone = added.length + removed.length === 0
  const isOwn = useSession().role.id === role
  return (
    <div role="status">
      <Card
        title={say('title')}
        description={!isNone && <Users role={role} />}
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

function Users({ role }: { role: number }) {
  const say = useTranslations('roles.difference')
  const maySee = useMay(...access.users)
  const users = useQuery({ ...usersQuery(undefined, { role, limit: 1 }), enabled: maySee })
  return users.data && say('users', { count: users.data.totalSize })
}
