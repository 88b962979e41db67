import { env } from '#lib/ground/env.server'

/* Security headers of all responses, pages and API alike. */

const YEAR = 365 * 24 * 60 * 60

const common = (isEncrypted: boolean): Record<string, string> => ({
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  // No page of another site may embed a response.
  'cross-origin-resource-policy': 'same-origin',
  ...(isEncrypted && { 'strict-transport-security': `max-age=${YEAR}; includeSubDomains` }),
})

/** BASE_URL decides about HSTS because a proxy may use http to reach this server. */
const isEncrypted = (): boolean => env().BASE_URL?.startsWith('https:') ?? false

const ofApi = (isEncrypted: boolean): Readonly<Record<string, string>> => ({
  ...common(isEncrypted),
  'content-security-policy': "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
})

const [encrypted, unencrypted] = [ofApi(true), ofApi(false)]

/** An API response is data. Opened as a page it cannot load resources, run scripts or be framed. */
export const apiProtection = (): Readonly<Record<string, string>> => (isEncrypted() ? encrypted : unencrypted)

/** Browser features that the console does not use. */
const permissions = [
  ...[
    'accelerometer',
    'autoplay',
    'camera',
    'display-capture',
    'encrypted-media',
    'fullscreen',
    'geolocation',
  ],
  ...[
    'gyroscope',
    'hid',
    'idle-detection',
    'magnetometer',
    'microphone',
    'midi',
    'payment',
    'picture-in-picture',
  ],
  ...['screen-wake-lock', 'serial', 'usb', 'xr-spatial-tracking'],
].map((feature) => `${feature}=()`)

/** Headers of a page: only resources of this site, and inline scripts and styles only with this response's nonce. */
export const pageProtection = (nonce: string): Record<string, string> => ({
  ...common(isEncrypted()),
  'x-frame-options': 'DENY',
  // Isolates this window from windows of other sites. Sign-in flows use redirects and forms in the same window.
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': permissions.join(', '),
  'content-security-policy': [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'`,
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
})
