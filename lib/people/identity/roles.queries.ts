import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { allPrivileges, type Privilege } from '#lib/caller/auth/privileges'
import { sessionQuery } from '#lib/caller/auth/session.queries'
import { collectionOf } from '#lib/caller/kinds/kind'
import { kinds } from '#lib/caller/kinds/kinds'
import { scopeHref } from '#lib/caller/scopes/scopes.queries'
import { api } from '#lib/client/api'
import {
  collectionQuery,
  invalidateBelow,
  pathKey,
  type Query,
  resourceQuery,
  useRemove,
  useSave,
} from '#lib/client/resources.queries'
import type { Collection, LinkDocument } from '#lib/ground/http/view'
import { enterprisePath } from '#lib/people/identity/enterprises.queries'
import type { PrivilegeDocument, RoleDocument, RoleImpact } from '#lib/people/identity/identity.schema'

export const rolesPath = `/api${collectionOf(kinds.role)}`

export const rolePath = (role: number): string => `${rolesPath}/${role}`

/** One page of roles. `identerprise`: only those of this enterprise. `idScope`: only those tied to this scope. */
export const rolesQuery = (query?: Query & { identerprise?: Query[string]; idScope?: Query[string] }) =>
  collectionQuery<RoleDocument>(rolesPath, query)

export const roleQuery = (role: number) => resourceQuery<RoleDocument>(rolePath(role))

const allOf = (path: string) =>
  queryOptions({
    queryKey: pathKey(path) as readonly unknown[],
    queryFn: async ({ signal, meta }) =>
      (await api<Collection<PrivilegeDocument>>(path, { query: { limit: 0 }, signal, meta })).collection,
  })

/** All privileges of the role. */
export const rolePrivilegesQuery = (role: number) => allOf(`${rolePath(role)}/action/privileges`)

/** Every privilege of the product. */
export const privilegesQuery = { ...allOf('/api/config/privileges'), staleTime: Number.POSITIVE_INFINITY }

/** A link to each privilege. The ids of privileges follow their order. */
export const privilegeLinks = (names: readonly Privilege[]): LinkDocument[] =>
  names.map((name) => ({
    rel: 'privilege',
    href: `/api/config/privileges/${allPrivileges.indexOf(name) + 1}`,
  }))

/** An empty list leaves the privileges of an existing role unchanged. */
export type SentRole = {
  name: string
  enterprise: number | undefined
  scope: number | undefined
  privilege: readonly Privilege[]
}

/** The body of POST and PUT. */
function roleBody({ name, enterprise, scope, privilege }: SentRole, current?: RoleDocument) {
  const links: LinkDocument[] = [
    ...(enterprise === undefined ? [] : [{ rel: 'enterprise', href: enterprisePath(enterprise) }]),
    ...(scope === undefined ? [] : [{ rel: 'scope', href: scopeHref(scope) }]),
    ...privilegeLinks(privilege),
  ]
  return { ...(current && { id: current.id }), name, links }
}

/** A preview of saving the draft, with the affected users. */
export const roleImpactQuery = (role: number, draft: SentRole) =>
  queryOptions({
    queryKey: ['role-impact', role, draft],
    queryFn: ({ signal }) =>
      api<RoleImpact>(`${rolePath(role)}/action/impact`, {
        method: 'POST',
        body: roleBody(draft),
        signal,
        once: false,
      }),
    placeholderData: (before) => before,
  })

/** Saves the privileges too. */
export const useSaveRole = () => useSave(rolesPath, roleBody, rolesChanged)

export const useRemoveRole = () => useRemove<RoleDocument>(rolesPath, rolesChanged)

/** The role may be the user's own, so their privileges are read again. Removed resources are not. */
async function rolesChanged(client: QueryClient, gone?: string): Promise<void> {
  await invalidateBelow(client, [rolesPath], gone)
  await client.invalidateQueries({ queryKey: sessionQuery.queryKey })
}
