/* The names of schemas and messages (RFC 7643 §8.7, RFC 7644 §8.2). */

export const USER = 'urn:ietf:params:scim:schemas:core:2.0:User'
export const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group'
export const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'

const message = (name: string): string => `urn:ietf:params:scim:api:messages:2.0:${name}`

export const ERROR = message('Error')
export const LIST = message('ListResponse')
export const SEARCH = message('SearchRequest')
export const PATCH = message('PatchOp')

const core = [USER, GROUP, ENTERPRISE].map((urn) => urn.toLowerCase())

/**
 * The name of an attribute in lower case, because names ignore case (RFC 7643 §2.1), and without its schema. Only the attributes of
 * the enterprise extension keep theirs: `enterprise:organization`.
 */
export function attributeName(sent: string): string {
  const name = sent.toLowerCase()
  const urn = core.find((each) => name === each || name.startsWith(`${each}:`))
  if (urn === undefined) return name
  const rest = name.slice(urn.length + 1)
  return urn === ENTERPRISE.toLowerCase() ? `enterprise:${rest}` : rest
}
