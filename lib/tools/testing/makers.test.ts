import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

/*
 * No token, job or delivery has more privileges than its maker has now. A place that makes a caller, or that acts without a request, is
 * named here with the user for whom it acts. The sources are searched, so a new place fails until it is named. The result of `presentMaker`
 * is tested in lib/people/access-tokens/maker.engines.test.ts.
 */

const project = join(import.meta.dirname, '../../..')
const files = globSync('{app,lib}/**/*.{ts,tsx}', { cwd: project }).filter(
  (file) =>
    !/\.test\.tsx?$|^lib\/(client|gateway|tools\/(testing|bench|scripts))\/|\.queries\.ts$/.test(file),
)
const sources = new Map(files.map((file) => [file, readFileSync(join(project, file), 'utf8')]))

const filesWith = (pattern: RegExp): string[] =>
  [...sources].flatMap(([file, source]) => (pattern.test(source) ? [file] : [])).sort()

/** Code that makes a caller, or runs operations for one. */
const makesCaller =
  /\b(callerOf|limitedTo|presentMaker|actFor|actingAs)\(|\bprivileges: new Set\(|: (Caller|Authenticated) = |\bas Caller\b|Caller => \(\{/

/** Code that runs without a request. */
const runsLater = /\b(inRounds|setInterval|outbox<\w+>)\(|\brequestOfThisMachine\(/

type ActsFor =
  /** The user whose credentials came with this request. */
  | 'the request'
  /** The current state of the user who made the token or job, limited to the grant that they had then. */
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
  'lib/people/access-tokens/access-tokens.server.ts': 'a question',
  'lib/request/access/asked.server.ts': 'a question',
  'lib/request/access/explain.server.ts': 'a question',
  'lib/caller/auth/caller.server.ts': 'all of these',
  'lib/caller/auth/console-cookie.server.ts': 'the request',
  'lib/request/entrance/console-session.server.ts': 'the request',
  // The user whose view a session shows, within what its own user has. It changes nothing.
  'lib/people/identity/see-as.server.ts': 'the request',
  // Whether the giver of an approval could still give it.
  'lib/people/identity/two-factor-resets.server.ts': 'a question',
  'lib/caller/oauth/applications.server.ts': 'all of these',
  'lib/request/jobs/worker.server.ts': 'its maker, now',
  'lib/request/pipeline/inner.server.ts': 'its maker, now',
  // The caller of the request, who reads a past moment.
  'lib/request/pipeline/past.server.ts': 'the request',
  // The sample cloud is made before there are users.
  'lib/tools/sample/cloud.server.ts': 'the operator',
  'lib/request/strategies/access-token.server.ts': 'the request',
  'lib/request/strategies/authenticate.server.ts': 'the request',
  'lib/request/strategies/basic.server.ts': 'the request',
  'lib/request/strategies/bearer.server.ts': 'the request',
  'lib/people/access-tokens/maker.server.ts': 'all of these',
  'lib/request/strategies/oauth1.server.ts': 'the request',
  'lib/request/strategies/token.server.ts': 'the request',
  'lib/state/ends/end-notices.server.ts': 'its maker, now',
  'lib/state/ends/refusals.server.ts': 'its maker, now',
  'lib/state/undo/going-back.server.ts': 'its maker, now',
  'lib/people/webhooks/dispatch.server.ts': 'its maker, now',
  'lib/people/webhooks/transport.server.ts': 'its maker, now',
}

const later: Record<string, ActsFor> = {
  'lib/db/postgres.server.ts': 'nobody',
  'lib/record/events/seals.server.ts': 'nobody',
  // Each message is for the caller as they are then: `presentCaller` of the request.
  'lib/record/events/stream.server.ts': 'nobody',
  'lib/record/jobs/follow.server.ts': 'nobody',
  'lib/people/identity/recovery.server.ts': 'the operator',
  'lib/record/mail/outbox.server.ts': 'nobody',
  'lib/record/outbox/outbox.server.ts': 'nobody',
  'lib/request/jobs/worker.server.ts': 'its maker, now',
  'lib/request/pipeline/inner.server.ts': 'its maker, now',
  'lib/request/pipeline/progress.server.ts': 'nobody',
  'lib/ground/rounds.server.ts': 'nobody',
  'lib/server/bodies.server.ts': 'nobody',
  'lib/server/front.server.ts': 'nobody',
  'lib/server/housekeeping.server.ts': 'nobody',
  'lib/server/process.server.ts': 'nobody',
  'lib/cloud/translations/revisions.server.ts': 'nobody',
  'lib/cloud/translations/states.server.ts': 'nobody',
  // For each resource `makerRefusals` asks for the user who set its end.
  'lib/state/ends/ends.server.ts': 'nobody',
  'lib/state/undo/going-back.server.ts': 'its maker, now',
  'lib/people/webhooks/dispatch.server.ts': 'its maker, now',
  'lib/people/webhooks/transport.server.ts': 'its maker, now',
}

test('every place that makes a caller is named', () => {
  expect(filesWith(makesCaller)).toEqual(Object.keys(callers).sort())
})

test('every place that runs without a request is named', () => {
  expect(filesWith(runsLater)).toEqual(Object.keys(later).sort())
})

/** The functions that a place may use to get a caller. */
const rules: Record<ActsFor, { must?: RegExp; mayNot?: RegExp }> = {
  'the request': { must: /\brequest\b/, mayNot: /\b(presentMaker|actFor|allPrivileges)\b/ },
  'its maker, now': {
    must: /\b(presentMaker|actFor|actingAs)\(/,
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
