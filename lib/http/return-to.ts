/**
 * A path of ours, however it is written: it begins with one slash, and nothing in it makes a browser take it for another site (settled,
 * point 28). Anything else leads home.
 */
export const safeReturnTo = (path: string | null | undefined): string => {
  if (!path || !/^\/(?![/\\])[^\\\s]*$/.test(path)) return '/'
  const address = URL.parse(path, 'https://here.invalid')
  return address?.origin === 'https://here.invalid' && !address.pathname.startsWith('//')
    ? `${address.pathname}${address.search}${address.hash}`
    : '/'
}
