/** Whether a URL's host is this machine. URL spells all IPv4 addresses in four decimal parts. */
export const isLoopback = (host: string): boolean => /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(host)

/** Whether requests to this URL cross a network unencrypted. */
export function isUnencrypted(url: string): boolean {
  const { protocol, hostname } = new URL(url)
  return protocol !== 'https:' && !isLoopback(hostname)
}

/** The URL without slashes at its end, so that a path can follow. The lookbehind keeps the match linear. */
export const withoutSlashes = (url: string): string => url.replace(/(?<!\/)\/+$/, '')

/** Why a program sends no credentials to this URL, or undefined if it may. */
export const plainHttpRefusal = (url: string): string | undefined =>
  isUnencrypted(url)
    ? `${new URL(url).origin} is not encrypted: others could read the credentials. Use https, or give --insecure.`
    : undefined
