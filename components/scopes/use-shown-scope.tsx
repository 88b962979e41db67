import { useTranslations } from 'use-intl'
import type { ShownFields } from '#components/base/forms/merge'
import type { ScopeEntityType } from '#lib/caller/scopes/scopes.schema'
import { useEntityNames } from './entities'
import type { ScopeDraft } from './scope-draft'

/** The labels and values of the form's fields in a conflict. */
export function useShownScope(): ShownFields<ScopeDraft> {
  const say = useTranslations('scopes')
  const label = useTranslations('labels')
  const unlimited = (kind: 'ENTERPRISE' | 'DATACENTER', mark: 'enterprises' | 'datacenters') => ({
    label: say(`marks.${mark}`),
    text: (is: boolean) => (is ? say(`kinds.${kind}.all`) : label('none')),
  })
  const entities = (type: ScopeEntityType) => ({
    label: say(`kinds.${type}.title`),
    members: (ids: readonly number[]) => <EntityNames type={type} ids={ids} />,
  })
  return {
    name: { label: label('name'), text: String },
    parent: { label: label('parentScope'), text: (parent) => parent?.name ?? say('parent.none') },
    allEnterprises: unlimited('ENTERPRISE', 'enterprises'),
    allDatacenters: unlimited('DATACENTER', 'datacenters'),
    enterprises: entities('ENTERPRISE'),
    datacenters: entities('DATACENTER'),
  }
}

/** Each name takes a request of its own. */
const NAMED = 12

function EntityNames({ type, ids }: { type: ScopeEntityType; ids: readonly number[] }) {
  const names = useEntityNames(type, ids.slice(0, NAMED))
  return names.join(', ') + (ids.length > NAMED ? ' …' : '')
}
