import { env } from '#lib/env.server'

/* What every answer tells the browser for its protection, pages and API alike. */

const YEAR = 365 * 24 * 60 * 60

/** Once met by https, the browser comes by nothing else; known from BASE_URL, for a proxy may speak http with this server. */
const transport = (): Record<string, string> =>
  env().BASE_URL?.startsWith('https:')
    ? { 'strict-transport-security': `max-age=${YEAR}; includeSubDomains` }
    : {}

const common = (): Record<string, string> => ({
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  // No page of another site embeds an answer: nothing here is meant for that.
  'cross-origin-resource-policy': 'same-origin',
  ...transport(),
})

/** An answer of the API is data: opened as a page it loads nothing, runs nothing, and stands in no frame. */
export const apiProtection = (): Record<string, string> => ({
  ...common(),
  'content-security-policy': "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
})

/** What the browser and the device could give a page, and the console has no use for. */
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

/** What a page may load: nothing foreign, no inline script or style without this answer's nonce. */
export const pageProtection = (nonce: string): Record<string, string> => ({
  ...common(),
  'x-frame-options': 'DENY',
  // A window of another site that opens this one has no hold on it. Sign-in flows go by redirects and forms, in the same window.
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
