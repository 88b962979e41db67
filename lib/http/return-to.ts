/**
 * A path of this site: it begins with one slash, and no browser reads it as another site (docs/api.md, "Identity providers"). Anything
 * else becomes the home page.
 */
export const safeReturnTo = (path: string | null | undefined): string => {
  if (!path || !/^\/(?![/\\])[^\\\s]*$/.test(path)) return '/'
  const address = URL.parse(path, 'https://here.invalid')
  return address?.origin === 'https://here.invalid' && !address.pathname.startsWith('//')
    ? `${address.pathname}${address.search}${address.hash}`
    : '/'
}
