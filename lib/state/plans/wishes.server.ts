import type { ReadContext } from '#lib/caller/auth/context.server'
import { collectionOf, pathOf } from '#lib/caller/kinds/kind'
import { kinds } from '#lib/caller/kinds/kinds'
import { isSetting, onlySettings, type RuleSettings } from '#lib/cloud/nat/rule-settings.server'
import { eachOf } from '#lib/db/slices.server'
import { ApiError, fieldFault } from '#lib/ground/http/errors'
import type { LinkDocument } from '#lib/ground/http/view'
import { SERVICE } from '#lib/people/identity/users.schema'
import {
  type Difference,
  merged,
  mergedRule,
  type PlannedOperation,
  type WantedItem,
} from '#lib/state/plans/compare.server'
import { itemKindOf } from '#lib/state/plans/items'
import {
  centerOf,
  deviceOf,
  idOf,
  idsOf,
  networkOf,
  requirePrivileges,
  rulesAt,
} from '#lib/state/plans/lookup.server'
import type { ExportEntity } from '#lib/state/plans/plans.schema'
import type { IpWish } from '#lib/state/reconcile/nat-ips.server'
import type { Wish } from '#lib/state/reconcile/reconcile.server'
import type { Sent } from '#lib/state/reconcile/resources.server'

/* Operations of a plan as wishes. Their documents contain names, whose resources are found when a step runs. */

const to = (rel: string, path: string): LinkDocument => ({ rel, href: `/api${path}` })

/** The link to the resource with this name; none for the empty name. */
async function linkTo(
  context: ReadContext,
  kind: typeof kinds.scope | typeof kinds.enterprise | typeof kinds.role,
  { rel, field = rel, name }: { rel: string; field?: string; name: string | undefined },
): Promise<LinkDocument[]> {
  if (name === undefined || name === '') return []
  return [to(rel, pathOf(kind, { id: await idOf(context, kind, { field, name }) }))]
}

type PlanWish = Wish & { about: PlannedOperation }

type Document = (context: ReadContext, operation: PlannedOperation) => Promise<Sent>

const documents = {
  enterprises: async (context, operation) => {
    const { scope, ...document } = merged<'enterprises'>(operation)
    const links = () => linkTo(context, kinds.scope, { rel: 'scope', name: scope })
    return { list: collectionOf(kinds.enterprise), document, ...(scope && { links }) }
  },

  scopes: async (context, operation) => {
    const { enterprises = [], datacenters = [], parent, ...document } = merged<'scopes'>(operation)
    const entities = async (
      kind: typeof kinds.enterprise | typeof kinds.datacenter,
      type: string,
      names: readonly string[],
    ) =>
      (await idsOf(context, kind, { field: kind.table, names })).map((idResource) => ({ idResource, type }))
    const scopeEntities = [
      ...(await entities(kinds.enterprise, 'ENTERPRISE', enterprises)),
      ...(await entities(kinds.datacenter, 'DATACENTER', datacenters)),
    ]
    const links = await linkTo(context, kinds.scope, { rel: 'scopeParent', field: 'parent', name: parent })
    return { list: collectionOf(kinds.scope), document: { ...document, scopeEntities, links } }
  },

  roles: async (context, operation) => {
    const { privileges = [], enterprise, scope, ...document } = merged<'roles'>(operation)
    const links = [
      ...(await linkTo(context, kinds.enterprise, { rel: 'enterprise', name: enterprise })),
      ...(await linkTo(context, kinds.scope, { rel: 'scope', name: scope })),
    ]
    requirePrivileges(privileges)
    return { list: collectionOf(kinds.role), document: { ...document, privileges, links } }
  },

  users: async (context, operation) => {
    const { enterprise, role, scope, authType, ...profile } = merged<'users'>(operation)
    if (enterprise === undefined)
      throw new ApiError(fieldFault('CONSTR-NOTNULL', 'enterprise', 'must not be missing'))
    const id = await idOf(context, kinds.enterprise, { field: 'enterprise', name: enterprise })
    const links = [
      to('enterprise', pathOf(kinds.enterprise, { id })),
      ...(await linkTo(context, kinds.role, { rel: 'role', name: role })),
      ...(await linkTo(context, kinds.scope, { rel: 'scope', name: scope })),
    ]
    const isNewService = !operation.present && authType === SERVICE
    return {
      list: collectionOf(kinds.user, { enterprise: id }),
      document: { ...profile, links, ...(isNewService && { authType }) },
      hash: operation.wanted?.hash,
    }
  },

  natnetworks: async (context, operation) => {
    const { datacenter, device, ...document } = merged<'natnetworks'>(operation)
    const id = await idOf(context, kinds.datacenter, { field: 'datacenter', name: datacenter })
    const links =
      device === undefined
        ? []
        : [to('device', pathOf(kinds.device, { datacenter: id, id: await deviceOf(context, id, device) }))]
    return { list: collectionOf(kinds.natnetwork, { datacenter: id }), document: { ...document, links } }
  },
} satisfies Partial<Record<ExportEntity, Document>>

const inNetwork = ({ datacenter, network }: { datacenter: string; network?: string | undefined }) =>
  JSON.stringify([datacenter, network])

type Ip = WantedItem<'natips'>

/** Undefined if the holder of the IP does not change. */
function holderOf(
  context: ReadContext,
  operation: PlannedOperation,
): NonNullable<IpWish['should']>['holder'] {
  const { virtualDatacenter: name, enterprise } = { ...operation.wanted?.item } as Ip
  if (!operation.changes.some(({ field }) => field === 'virtualDatacenter' || field === 'enterprise'))
    return undefined
  if (name === '') return null
  return {
    key: JSON.stringify([name, enterprise]),
    find: async ({ datacenter_id: datacenter }, holder) => {
      if (name === undefined)
        throw new ApiError(fieldFault('CONSTR-NOTNULL', 'virtualDatacenter', 'must not be missing'))
      return centerOf(context, { datacenter, name, holder, ...(enterprise !== '' && { enterprise }) })
    },
  }
}

function ipWish(context: ReadContext, operation: PlannedOperation): PlanWish {
  const { kind, present, changes } = operation
  const item = merged<'natips'>(operation)
  const { available = true, quarantine = false, defaultSnat = false, ends = '' } = item
  const { description = '', tags = [] } = item
  const [changesDefault, changesEnd, ...notesChange] = ['defaultSnat', 'ends', 'description', 'tags'].map(
    (name) => changes.some(({ field }) => field === name),
  )
  const should = {
    available,
    quarantine,
    holder: holderOf(context, operation),
    ...(notesChange.includes(true) && { notes: { description, tags } }),
  }
  return {
    about: operation,
    kind: kinds.natip,
    network: { key: inNetwork(item), find: () => networkOf(context, item) },
    ip: item.ip,
    is: present ? { ...(present.item as Required<Ip>), holder: present.holder ?? null } : null,
    should:
      kind === 'delete'
        ? null
        : { ...should, ...(changesDefault && { defaultSnat }), ...(changesEnd && { ends }) },
  }
}

const idIn = (path: string): number => Number(path.split('/').at(-1))

/** Undefined if the rule becomes another one. */
function ruleChange({ kind, changes, ...operation }: PlannedOperation): RuleSettings | undefined {
  const fields = changes.map(({ field }) => field)
  if (kind !== 'update' || !fields.every((field) => isSetting(field))) return undefined
  return onlySettings(merged<'natrules'>(operation), fields)
}

function ruleWish(context: ReadContext, operation: PlannedOperation): PlanWish {
  const item = mergedRule(operation)
  return {
    about: operation,
    kind: kinds.natrule,
    network: inNetwork(item),
    is: operation.present ? idIn(operation.present.path) : null,
    should:
      operation.kind === 'delete'
        ? null
        : (ruleChange(operation) ?? {
            find: async (all: readonly PlannedOperation[]) => {
              const network = await networkOf(context, { ...item, network: item.network ?? '' })
              return rulesAt(context, network.id, all.map(mergedRule))
            },
          }),
  }
}

const isNamed = (entity: ExportEntity): entity is keyof typeof documents => Object.hasOwn(documents, entity)

export async function planWishes(
  context: ReadContext,
  { operations, parents }: Pick<Difference, 'operations' | 'parents'>,
): Promise<PlanWish[]> {
  const { depths } = ancestryIn(parents)
  const wishes: PlanWish[] = []
  for await (const operation of eachOf(operations)) {
    const { entity, kind, present } = operation
    if (isNamed(entity))
      wishes.push({
        about: operation,
        kind: itemKindOf(entity),
        is: present?.path ?? null,
        should: kind === 'delete' ? null : () => documents[entity](context, operation),
        ...(entity === 'scopes' && { depth: depths.get(merged<'scopes'>(operation).name) ?? 0 }),
      })
    else wishes.push(entity === 'natips' ? ipWish(context, operation) : ruleWish(context, operation))
  }
  return wishes
}

/** The number of scopes above each scope, and the scopes that would be above themselves. Each scope is visited once. */
export function ancestryIn(parents: ReadonlyMap<string, string>) {
  const depths = new Map<string, number>()
  const circular = new Set<string>()
  for (const name of parents.keys()) {
    const path = new Set<string>()
    let above = name
    while (parents.has(above) && !depths.has(above) && !path.has(above)) {
      path.add(above)
      above = parents.get(above) ?? ''
    }
    const below = [...path]
    if (path.has(above)) for (const each of below.slice(below.indexOf(above))) circular.add(each)
    let depth = path.has(above) ? 0 : (depths.get(above) ?? -1)
    for (const each of below.reverse()) {
      depth += 1
      depths.set(each, depth)
    }
  }
  return { depths, circular }
}
