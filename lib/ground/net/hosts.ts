const SHAPE = 'must be postgres://user:password@host:port/database, with commas between several hosts'

/**
 * One address for each host of a libpq address with several hosts: `postgres://u:p@h1:1,h2:2/db`. Throws if the address is malformed. The
 * message never quotes the address, because the address contains a password.
 */
export function hostAddresses(address: string): string[] {
  const [, scheme, user = '', hosts = '', rest = ''] =
    /^(postgres(?:ql)?:\/\/)(?:([^/?#]*)@)?([^/?#]*)(.*)$/s.exec(address) ?? []
  if (!scheme) throw new Error('must start with postgres://')
  const names = hosts.split(',')
  if (names.length > 1 && names.includes('')) throw new Error('names an empty host')
  return names.map((host) => checked(`${scheme}${user && `${user}@`}${host}${rest}`))
}

function checked(address: string): string {
  const url = URL.parse(address)
  if (!url || !isDecodable(url)) throw new Error(SHAPE)
  // A read-only host is never used, although libpq would allow it.
  if (!['read-write', 'primary'].includes(url.searchParams.get('target_session_attrs') ?? 'primary'))
    throw new Error('supports only target_session_attrs=read-write')
  url.searchParams.delete('target_session_attrs')
  checkTls(url.searchParams)
  return url.href
}

/** libpq checks less in most of these modes. The driver treats all as verify-full, but logs a warning and will change in a later version. */
const CHECKED = ['prefer', 'require', 'verify-ca', 'verify-full']

function checkTls(parameters: URLSearchParams): void {
  const mode = parameters.get('sslmode')
  if (mode === null || parameters.has('uselibpqcompat')) return
  if (CHECKED.includes(mode)) parameters.set('sslmode', 'verify-full')
  else if (mode !== 'disable' && mode !== 'no-verify')
    throw new Error(`must have an sslmode of ${CHECKED.join(', ')}, no-verify, disable`)
}

function isDecodable({ username, password, pathname }: URL): boolean {
  try {
    for (const part of [username, password, pathname]) decodeURIComponent(part)
    return true
  } catch {
    return false
  }
}
