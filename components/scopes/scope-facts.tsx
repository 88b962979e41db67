import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import { useTranslations } from 'use-intl'
import { access } from '#components/screens/access'
import { AppLink } from '#components/screens/app-link'
import { paths } from '#components/screens/paths'
import { useMay } from '#components/session/session'
import type { ScopeName } from '#lib/scopes/scopes.queries'
import type { ScopeDocument } from '#lib/scopes/scopes.schema'
import { unlimitedMark } from './scope-rules'

/** What a scope is, at a glance. */
export function ScopeFacts({ scope, parent }: { scope: ScopeDocument; parent: ScopeName | undefined }) {
  const say = useTranslations('scopes.page')
  const maySeeEvents = useMay(...access.events)
  const mark = unlimitedMark(scope)
  const history = {
    label: say('history'),
    value: <AppLink to={paths.events({ entity: 'scope', entityid: scope.id })}>{say('events')}</AppLink>,
  }
  return (
    <Container header={<Header variant="h2">{say('details')}</Header>}>
      <KeyValuePairs
        columns={maySeeEvents ? 4 : 3}
        items={[
          { label: say('id'), value: scope.id },
          {
            label: say('parent'),
            value: parent ? <AppLink to={paths.scope(parent.id)}>{parent.name}</AppLink> : say('noParent'),
          },
          { label: say('unlimitedIn'), value: mark ? say(`in.${mark}`) : say('in.nothing') },
          ...(maySeeEvents ? [history] : []),
        ]}
      />
    </Container>
  )
}
