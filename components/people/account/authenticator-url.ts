/** The values to type into an authenticator app that cannot scan. */
export type AuthenticatorKey = { secret: string; issuer: string; account: string }

/**
 * Reads `otpauth://totp/<issuer>:<account>?secret=…&issuer=…`; undefined for any other address.
 * The label's colon may be written `%3A`, and the parameter `issuer` wins over the label: Key Uri Format of Google Authenticator.
 */
export function readAuthenticatorUrl(address: string): AuthenticatorKey | undefined {
  const url = URL.parse(address)
  const secret = url?.searchParams
    .get('secret')
    ?.replace(/(?<!=)=+$/, '')
    .toUpperCase()
  if (url?.protocol !== 'otpauth:' || secret === undefined || !/^[A-Z2-7]+$/.test(secret)) return undefined
  const label = decoded(url.pathname.split('/').at(-1) ?? '')
  const colon = label.indexOf(':')
  return {
    secret,
    issuer: url.searchParams.get('issuer') ?? label.slice(0, Math.max(colon, 0)).trim(),
    account: label.slice(colon + 1).trim(),
  }
}

function decoded(label: string): string {
  try {
    return decodeURIComponent(label)
  } catch {
    return label
  }
}

/** `ABCDEFGHIJ` → `ABCD EFGH IJ`: short groups are copied by eye without losing the place. */
export const inGroupsOfFour = (text: string): string => (text.match(/.{1,4}/gu) ?? []).join(' ')
