import type { QueryClient } from '@tanstack/react-query'
import { collectionOf } from '#lib/caller/kinds/kind'
import { kinds } from '#lib/caller/kinds/kinds'
import { scopeHref, scopesChanged } from '#lib/caller/scopes/scopes.queries'
import { api } from '#lib/client/api'
import {
  collectionQuery,
  ifMatch,
  invalidateBelow,
  type Query,
  resourceQuery,
  useChange,
  useRemove,
  useSave,
} from '#lib/client/resources.queries'
import type { LinkDocument } from '#lib/ground/http/view'
import type {
  EnterpriseDocument,
  EnterpriseFields,
  EnterpriseProperties,
} from '#lib/people/identity/identity.schema'

export const enterprisesPath = `/api${collectionOf(kinds.enterprise)}`

export const enterprisePath = (enterprise: number): string => `${enterprisesPath}/${enterprise}`

/** One page of enterprises. `idScope`: only those with this default scope. */
export const enterprisesQuery = (query?: Query & { idScope?: Query[string] }) =>
  collectionQuery<EnterpriseDocument>(enterprisesPath, query)

export const enterpriseQuery = (enterprise: number) =>
  resourceQuery<EnterpriseDocument>(enterprisePath(enterprise))

/** The fields of the enterprise form. Without a default scope the current one stays; a new enterprise gets the caller's own. */
export type EnterpriseDraft = EnterpriseFields & { scope: number | undefined }

/** The body of POST and PUT. */
function enterpriseBody({ scope, ...fields }: EnterpriseDraft, current?: EnterpriseDocument) {
  const links: LinkDocument[] = scope === undefined ? [] : [{ rel: 'scope', href: scopeHref(scope) }]
  return { ...(current && { id: current.id }), ...fields, links }
}

export const useSaveEnterprise = () => useSave(enterprisesPath, enterpriseBody, enterprisesChanged)

export const useRemoveEnterprise = () => useRemove<EnterpriseDocument>(enterprisesPath, enterprisesChanged)

/** Invalidates the lists of enterprises and their users, and the scopes that contain them. Removed resources are not read again. */
async function enterprisesChanged(client: QueryClient, gone?: string): Promise<void> {
  await invalidateBelow(client, [enterprisesPath], gone)
  await scopesChanged(client)
}

const propertiesPath = (enterprise: number): string => `${enterprisePath(enterprise)}/properties`

export const enterprisePropertiesQuery = (enterprise: number) =>
  resourceQuery<EnterpriseProperties>(propertiesPath(enterprise))

type SaveProperties = { properties: EnterpriseProperties['properties']; etag: string | undefined }

/** Replaces all properties. */
export const useSaveEnterpriseProperties = (enterprise: number) =>
  useChange(
    ({ properties, etag }: SaveProperties) =>
      api<EnterpriseProperties>(propertiesPath(enterprise), {
        method: 'PUT',
        body: { properties },
        headers: ifMatch(etag),
      }),
    (client) => invalidateBelow(client, [propertiesPath(enterprise)]),
  )
