import Box from '@cloudscape-design/components/box'
import type { KeyValuePairsProps } from '@cloudscape-design/components/key-value-pairs'
import { access } from '#components/access'
import { AppLink } from '#components/layout/app-link'
import { holds } from '#components/layout/session'
import { paths } from '#components/paths'
import type { SessionDocument } from '#lib/auth/session.schema'
import { languageName } from './language'

/** What the account page says of its user. */
export const profileFacts = (session: SessionDocument): KeyValuePairsProps.Item[] => [
  { label: 'Nick', value: session.nick },
  { label: 'Name', value: `${session.name} ${session.surname}`.trim() || <Nothing /> },
  { label: 'E-mail', value: session.email || <Nothing /> },
  { label: 'Enterprise', value: session.enterprise.name },
  { label: 'Role', value: session.role.name },
  { label: 'Scope', value: <Scope session={session} /> },
  { label: 'Language', value: languageName(session.locale) || <Nothing /> },
]

const Nothing = () => <Box color="text-body-secondary">Not given</Box>

function Scope({ session }: { session: SessionDocument }) {
  const { id, name, allDatacenters, allEnterprises } = session.scope
  const mayOpen = holds(session, access.scope)
  const unlimited = [allEnterprises && 'all enterprises', allDatacenters && 'all datacenters'].filter(Boolean)
  return (
    <>
      {mayOpen ? <AppLink to={paths.scope(id)}>{name}</AppLink> : name}
      {unlimited.length > 0 && (
        <Box variant="small" display="block">
          Sees {unlimited.join(' and ')}
        </Box>
      )}
    </>
  )
}
