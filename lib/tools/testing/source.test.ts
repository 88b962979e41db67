import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/* Code that the program never uses. The test searches the source: a new place needs a line here, and a reason with it. */

const project = join(import.meta.dirname, '../../..')

const files = globSync('{app,components,lib}/**/*.{ts,tsx}', { cwd: project }).filter(
  (file) => !/\.test\.tsx?$|^lib\/tools\/(?!styles)/.test(file),
)

const filesWith = (pattern: RegExp): string[] =>
  files.filter((file) => pattern.test(readFileSync(join(project, file), 'utf8'))).sort()

test.each<[string, RegExp, string[]]>([
  [
    'run programs of the system: nft, conntrack and ip',
    /node:child_process|child_process'/,
    ['lib/gateway/nft.ts'],
  ],
  ['run text as code', /\beval\(|new Function\(|node:vm/, []],
  [
    'write HTML into a page',
    /dangerouslySetInnerHTML|(inner|outer)HTML|insertAdjacentHTML|document\.write/,
    [],
  ],
  ['hear messages of other windows', /addEventListener\('message'/, ['lib/client/tabs.ts']],
  [
    'keep something in the browser: colours and density, which scopes are unfolded, which column of a file is which, and which device has changes that wait',
    /localStorage|sessionStorage|indexedDB/,
    [
      'components/import/csv-columns.ts',
      'components/scopes/open-scopes.ts',
      'components/frame/waiting/waiting-device.ts',
      'lib/client/appearance.ts',
    ],
  ],
  [
    'ask for a number that can be foreseen: a pause, and the code that is asked for again',
    /Math\.random/,
    ['components/people/account/enrolment.tsx', 'lib/db/db.server.ts'],
  ],
  [
    'use MD5, or a cipher that protects nothing from changes',
    /'md5'|aes-\d+-(ecb|cbc|ctr)|createCipher\(/i,
    [],
  ],
  ['use SHA-1 but for OAuth 1.0a', /'sha1'/, ['lib/caller/oauth/signatures.server.ts']],
  [
    'load a part by React.lazy, whose failure replaces the whole screen (components/kit/deferred-over.tsx): the frame itself',
    /\blazy\(|next\/dynamic/,
    ['components/console.tsx'],
  ],
  ['keep anybody from pasting a password', /onPaste|onCopy/, []],
  ['use what is for tests, samples and measurements', /#lib\/(testing|sample|bench)\//, []],
  [
    'start a mutation without the guard against a second submit (components/base/forms/one-at-a-time.ts)',
    /\.mutate\b(?!Async)|\{ mutate\b(?!Async)/,
    [],
  ],
  [
    'show a secret that is shown once',
    /<SecretOnce\b/,
    [
      'components/people/access-tokens/new-token.tsx',
      'components/people/account/scratch-codes-list.tsx',
      'components/people/applications/application-page.tsx',
      'components/cloud/devices/start-gateway.tsx',
      'components/people/users/invitation.tsx',
      'components/people/users/user-password.tsx',
      'components/people/webhooks/webhook-page.tsx',
    ],
  ],
  [
    'spread a condition into the properties of a component, where the compiler finds no wrong name',
    /\{\.\.\.\((?:(?!\)\}).)*?(?:&&|\|\||\? )/s,
    [],
  ],
  ['leave a certificate unchecked', /rejectUnauthorized|NODE_TLS_REJECT|insecureHTTPParser/, []],
  ['speak by WebSocket or WebRTC', /WebSocket|RTCPeerConnection|EventSource/, []],
  [
    'ask an address itself: the API of its own site, the one of a gateway, the metadata that a setting names, and webhooks',
    /(?<![.\w])fetch\(|node:https/,
    [
      'lib/client/api.ts',
      'lib/gateway/api.ts',
      'lib/people/saml/provider.server.ts',
      'lib/people/webhooks/post.server.ts',
    ],
  ],
  [
    'send a POST without an Idempotency-Key: sign-in and consent, previews, tests, and responses with a secret',
    /once: (false|\w.*\? false)/,
    [
      'lib/request/access/access.queries.ts',
      'lib/people/applications/applications.queries.ts',
      'lib/caller/auth/own-account.queries.ts',
      'lib/caller/auth/passkeys.queries.ts',
      'lib/caller/auth/invitations.queries.ts',
      'lib/people/identity/users.queries.ts',
      'lib/caller/auth/session.queries.ts',
      'lib/record/jobs/bulk.queries.ts',
      'lib/record/jobs/jobs.queries.ts',
      'lib/record/events/events.queries.ts',
      'lib/people/identity/roles.queries.ts',
      'lib/people/identity/two-factor.queries.ts',
      'lib/cloud/nat/check.queries.ts',
      'lib/people/oidc/tokens.queries.ts',
      'lib/state/plans/plans.queries.ts',
      'lib/caller/scopes/scopes.queries.ts',
      'lib/people/webhooks/webhooks.queries.ts',
    ],
  ],
  [
    'put SQL together from text: names of our columns and tables, and migrations',
    /sql\.raw\(/,
    [
      'lib/db/dialect.server.ts',
      'lib/db/journal.server.ts',
      'lib/db/migrate.server.ts',
      'lib/db/translation-log.server.ts',
      'lib/cloud/nat/counts.server.ts',
      'lib/cloud/nat/positions.server.ts',
    ],
  ],
])('the only files that %s', (_what, pattern, expected) => {
  expect(filesWith(pattern)).toEqual(expected.toSorted())
})

test('each field for a password hides its text', () => {
  const fields = filesWith(/autoComplete="(current|new)-password"/)
  const hidden = filesWith(/type="password"|<PasswordField\b/)
  expect(fields.length).toBeGreaterThan(3)
  expect(fields.filter((file) => !hidden.includes(file))).toEqual([])
})

test('the test searches the whole source', () => {
  expect(files.length).toBeGreaterThan(500)
})

/** Sentences for users, where these words are ordinary. */
const isProse = (file: string) => /^lib\/(words\/en\/|mail\/english)/.test(file)

const english = globSync('{app,components,e2e,lib}/**/*.{ts,tsx}', { cwd: project }).filter(
  (file) => !file.startsWith('lib/words/es/') && file !== 'lib/tools/testing/source.test.ts',
)

test.each([
  [/\b(he|him|his|himself|freshly|as of one time)\b|guess more/i, () => true],
  [/\b(told|whoever|who asks)\b/i, (file: string) => !isProse(file)],
])('comments and names use no private words: %s', (refused, isMeant) => {
  const found = english.filter(
    (file) => isMeant(file) && refused.test(readFileSync(join(project, file), 'utf8')),
  )
  expect(found).toEqual([])
})

/** The comments of a file, without the code that they quote. */
const commentsOf = (file: string): string =>
  [...readFileSync(join(project, file), 'utf8').matchAll(/^\s*\/\*[\s\S]*?\*\/|(?:^|\s)\/\/ .*/gm)]
    .map(([comment]) => comment.replaceAll(/`[^`]*`/g, ''))
    .join('\n')
    .replaceAll(/\s+(?:\*|\/\/) /g, ' ')

/** Vague words: a comment names the resource, the user or the value, and says undo, fix, repair, apply, assign or report. */
const vague =
  /\b(things?|whoever|somebody|anew|mend(s|ed|ing)?|tells?|(take|takes|taken|took|taking) (\w+ ){0,2}back|puts? (\w+ ){0,2}right|carr(y|ies|ied) out|gives? out|held against)\b/i

test('comments use the words of the field', () => {
  expect(english.length).toBeGreaterThan(1000)
  const found = english.flatMap((file) => {
    const [word] = vague.exec(commentsOf(file)) ?? []
    return word === undefined ? [] : [`${file}: ${word}`]
  })
  expect(found).toEqual([])
})
