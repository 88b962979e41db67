import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

/*
 * Nothing acts with more than its maker has now. A place that makes a caller, or that acts without a request, is named here with the user for
 * whom it acts. The sources are searched, so a new place fails until it is named. What `presentMaker` returns is tested in
 * lib/strategies/maker.engines.test.ts.
 */

const project = join(import.meta.dirname, '../..')
const files = globSync('{app,lib}/**/*.{ts,tsx}', { cwd: project }).filter(
  (file) => !/\.test\.tsx?$|^lib\/(testing|client|gateway|bench|scripts)\/|\.queries\.ts$/.test(file),
)
const sources = new Map(files.map((file) => [file, readFileSync(join(project, file), 'utf8')]))

const filesWith = (pattern: RegExp): string[] =>
  [...sources].flatMap(([file, source]) => (pattern.test(source) ? [file] : [])).sort()

/** What makes a caller, or runs operations for one. */
const makesCaller =
  /\b(callerOf|limitedTo|presentMaker|actFor)\(|\bprivileges: new Set\(|: (Caller|Authenticated) = |\bas Caller\b|Caller => \(\{/

/** What runs without a request. */
const runsLater = /\b(inRounds|setInterval|outbox<\w+>)\(|\brequestOfThisMachine\(/

type ActsFor =
  /** The user whose credentials came with this request. */
  | 'the request'
  /** The user who made what acts, as they are now, limited to the grant they came with. */
  | 'its maker, now'
  /** Answers a question about a user. The caller that it makes runs nothing. */
  | 'a question'
  /** Users have no part in it. */
  | 'nobody'
  /** People with access to the files of the installation. */
  | 'the operator'
  /** Defines how callers are made. */
  | 'all of these'

const callers: Record<string, ActsFor> = {
  // Whether the maker of a service account's token still reaches it. The token then acts for its own account.
  'lib/access-tokens/access-tokens.server.ts': 'a question',
  'lib/access/asked.server.ts': 'a question',
  'lib/access/explain.server.ts': 'a question',
  'lib/auth/caller.server.ts': 'all of these',
  'lib/auth/console-cookie.server.ts': 'the request',
  'lib/entrance/console-session.server.ts': 'the request',
  // Whether the giver of an approval could still give it.
  'lib/identity/two-factor-resets.server.ts': 'a question',
  'lib/oauth/applications.server.ts': 'all of these',
  'lib/pipeline/inner.server.ts': 'its maker, now',
  // The sample cloud is made before there are users.
  'lib/sample/cloud.server.ts': 'the operator',
  'lib/strategies/access-token.server.ts': 'the request',
  'lib/strategies/authenticate.server.ts': 'the request',
  'lib/strategies/basic.server.ts': 'the request',
  'lib/strategies/bearer.server.ts': 'the request',
  'lib/strategies/maker.server.ts': 'all of these',
  'lib/strategies/oauth1.server.ts': 'the request',
  'lib/strategies/token.server.ts': 'the request',
  'lib/undo/going-back.server.ts': 'its maker, now',
  'lib/webhooks/dispatch.server.ts': 'its maker, now',
  'lib/webhooks/transport.server.ts': 'its maker, now',
}

const later: Record<string, ActsFor> = {
  'lib/db/postgres.server.ts': 'nobody',
  'lib/events/seals.server.ts': 'nobody',
  // Each message is for the caller as they are then: `presentCaller` of the request.
  'lib/events/stream.server.ts': 'nobody',
  'lib/http/client-address.server.ts': 'nobody',
  'lib/identity/recovery.server.ts': 'the operator',
  'lib/mail/outbox.server.ts': 'nobody',
  'lib/outbox/outbox.server.ts': 'nobody',
  'lib/pipeline/inner.server.ts': 'its maker, now',
  'lib/pipeline/progress.server.ts': 'nobody',
  'lib/rounds.server.ts': 'nobody',
  'lib/server/bodies.server.ts': 'nobody',
  'lib/server/front.server.ts': 'nobody',
  'lib/server/housekeeping.server.ts': 'nobody',
  'lib/server/process.server.ts': 'nobody',
  'lib/translations/revisions.server.ts': 'nobody',
  'lib/translations/states.server.ts': 'nobody',
  'lib/undo/going-back.server.ts': 'its maker, now',
  'lib/webhooks/dispatch.server.ts': 'its maker, now',
  'lib/webhooks/transport.server.ts': 'its maker, now',
}

test('every place that makes a caller is named', () => {
  expect(filesWith(makesCaller)).toEqual(Object.keys(callers).sort())
})

test('every place that runs without a request is named', () => {
  expect(filesWith(runsLater)).toEqual(Object.keys(later).sort())
})

/** What a place may use to get a caller. */
const rules: Record<ActsFor, { must?: RegExp; mayNot?: RegExp }> = {
  'the request': { must: /\brequest\b/, mayNot: /\b(presentMaker|actFor|allPrivileges)\b/ },
  'its maker, now': {
    must: /\b(presentMaker|actFor)\(/,
    mayNot: /\b(callerOf|limitedTo|accountById|allPrivileges)\b/,
  },
  'a question': { mayNot: /\b(operate|actFor|perform)\(/ },
  nobody: { mayNot: makesCaller },
  'the operator': { mayNot: /\b(callerOf|presentMaker|actFor)\(/ },
  'all of these': { mayNot: /\ballPrivileges\)/ },
}

describe.each(Object.entries({ ...later, ...callers }))('%s', (file, actsFor) => {
  test(`acts for ${actsFor}`, () => {
    const source = sources.get(file) ?? ''
    const { must, mayNot } = rules[actsFor]
    if (must) expect(source).toMatch(must)
    if (mayNot) expect(source).not.toMatch(mayNot)
  })
})
