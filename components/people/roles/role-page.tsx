import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useNavigate } from 'react-router'
import { useTranslations } from 'use-intl'
import { Confirm } from '#components/base/forms/confirm'
import { Waiting } from '#components/base/forms/failure'
import { useId } from '#components/base/forms/ids'
import { access } from '#components/base/screens/access'
import { AppButton, AppLink } from '#components/base/screens/app-link'
import { paths } from '#components/base/screens/paths'
import { ScreenLink } from '#components/base/session/screen-link'
import { useMay } from '#components/base/session/session'
import { EventsOf } from '#components/events/events-of'
import { useComparing } from '#components/frame/as-of/present'
import { FactsOf } from '#components/frame/layout/facts'
import { Page } from '#components/frame/layout/page'
import { Card, Row, Stack } from '#components/kit/layout'
import { Badge } from '#components/kit/status'
import { Tool } from '#components/kit/tool'
import { useNoteFacts } from '#components/table/notes'
import { TableTabs } from '#components/table/table-tabs'
import { allPrivileges } from '#lib/caller/auth/privileges'
import { linkOf } from '#lib/ground/http/view'
import type { RoleDocument } from '#lib/people/identity/identity.schema'
import { rolePrivilegesQuery, roleQuery, useRemoveRole } from '#lib/people/identity/roles.queries'
import { usersQuery } from '#lib/people/identity/users.queries'
import { GrantedList } from './granted-list'
import { namesOf, useRoleRefusal } from './use-role'

export function Component() {
  const say = useTranslations('roles')
  const id = useId('role')
  const read = useQuery(roleQuery(id))
  const role = read.data?.document
  return (
    <Page
      title={role?.name ?? say('page.unknown', { id: String(id) })}
      breadcrumbs={[{ text: say('list.title'), href: paths.roles() }]}
      actions={role && <Actions role={role} />}
    >
      {role ? <Content key={id} role={role} /> : <Waiting read={read} />}
    </Page>
  )
}

function Actions({ role }: { role: RoleDocument }) {
  const say = useTranslations('roles.page')
  const sayCommon = useTranslations('common')
  const navigate = useNavigate()
  const [isRemoving, setRemoving] = useState(false)
  const refusal = useRoleRefusal(role)
  const mayManage = useMay(...access.manageRoles)
  return (
    <Row>
      <AppButton to={paths.compareRoles([role.id])}>{say('compare')}</AppButton>
      {mayManage && <AppButton to={paths.newRole(role.id)}>{say('duplicate')}</AppButton>}
      {mayManage && (
        <Tool onPress={() => setRemoving(true)} refused={refusal}>
          {sayCommon('delete')}
        </Tool>
      )}
      {mayManage && (
        <AppButton look="main" data-key="e" to={paths.editRole(role.id)} refused={refusal}>
          {sayCommon('edit')}
        </AppButton>
      )}
      {isRemoving && (
        <RemoveRole
          id={role.id}
          onClose={() => setRemoving(false)}
          onRemoved={() => void navigate(paths.roles())}
        />
      )}
    </Row>
  )
}

function Content({ role }: { role: RoleDocument }) {
  const say = useTranslations('roles.page')
  const privileges = useQuery(rolePrivilegesQuery(role.id))
  const { isOn, client } = useComparing()
  const now = useQuery({ ...rolePrivilegesQuery(role.id), enabled: isOn, retry: false }, client).data
  return (
    <Stack gap="l">
      <RoleFacts role={role} count={privileges.data?.length} />
      <TableTabs
        label={say('tabs', { role: role.name })}
        tabs={[
          {
            id: 'privileges',
            content: privileges.data ? (
              <GrantedList granted={namesOf(privileges.data)} now={isOn && now ? namesOf(now) : undefined} />
            ) : (
              <Waiting read={privileges} />
            ),
          },
          { id: 'events', content: <EventsOf entity="role" entityid={role.id} /> },
        ]}
      />
    </Stack>
  )
}

function RoleFacts({ role, count }: { role: RoleDocument; count: number | undefined }) {
  const say = useTranslations('roles')
  const label = useTranslations('labels')
  const { ofNotes } = useNoteFacts(paths.roles())
  const maySeeUsers = useMay(...access.users)
  const users = useQuery({ ...usersQuery(undefined, { role: role.id, limit: 1 }), enabled: maySeeUsers })
  return (
    <Card>
      <FactsOf
        of={role}
        columns={4}
        items={(document) => [
          {
            label: label('privileges'),
            value: count === undefined ? '–' : say('page.held', { count, total: allPrivileges.length }),
          },
          ...(maySeeUsers
            ? [
                {
                  label: label('users'),
                  value: (
                    <AppLink to={paths.users({ role: role.id })}>
                      {users.data ? label('userCount', { count: users.data.totalSize }) : label('users')}
                    </AppLink>
                  ),
                },
              ]
            : []),
          { label: label('enterprise'), value: linked(document, 'enterprise', label('allEnterprises')) },
          { label: label('scope'), value: linked(document, 'scope', label('noScope')) },
          {
            label: label('state'),
            value: document.blocked ? <Badge>{say('list.blocked')}</Badge> : say('list.open'),
          },
          ...ofNotes(document),
          { label: label('id'), value: role.id },
        ]}
      />
    </Card>
  )
}

function linked(role: RoleDocument, rel: string, none: string): ReactNode {
  const link = linkOf(role, rel)
  return link ? <ScreenLink link={link} /> : none
}

type RemoveRoleProps = { id: number; onClose: () => void; onRemoved: () => void }

function RemoveRole({ id, onClose, onRemoved }: RemoveRoleProps) {
  const say = useTranslations('roles.remove')
  const maySeeUsers = useMay(...access.users)
  const read = useQuery(roleQuery(id))
  const name = read.data?.document.name ?? ''
  return (
    <Confirm
      title={say('title')}
      typed={name}
      read={read}
      mutation={useRemoveRole()}
      done={() => say('done', { role: name })}
      advice={{
        'ROLE-3': (
          <>
            {say('users')}{' '}
            {maySeeUsers && <AppLink to={paths.users({ role: id })}>{say('showUsers')}</AppLink>}
          </>
        ),
      }}
      onDone={onRemoved}
      onCancel={onClose}
    >
      {say.rich('about', { role: name, b: (inside) => <strong>{inside}</strong> })}
    </Confirm>
  )
}
