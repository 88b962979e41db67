/**
 * Returns the path if it begins with exactly one slash and no browser can read it as another site (docs/api/identity-providers.md, "Identity providers").
 * Otherwise returns `/`.
 */
export const safeReturnTo = (path: string | null | undefined): string => {
  if (!path || !/^\/(?![/\\])[^\\\s]*$/.test(path)) return '/'
  const address = URL.parse(path, 'https://here.invalid')
  return address?.origin === 'https://here.invalid' && !address.pathname.startsWith('//')
    ? `${address.pathname}${address.search}${address.hash}`
    : '/'
}
