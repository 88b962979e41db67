import '#components/kit/tokens.css'
import './globals.css'
import { QueryClientProvider, useQuery, useQueryClient } from '@tanstack/react-query'
import { Activity, lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { Speaking } from '#components/base/screens/words'
import { ProofHost } from '#components/base/session/proof-host'
import { Starting, Unbroken, Unreachable } from '#components/frame/layout/starting'
import { Entrance } from '#components/people/sign-in/entrance'
import { SignIn } from '#components/people/sign-in/sign-in'
import {
  endSession,
  enterSession,
  hearRefusal,
  renewSession,
  sessionQuery,
} from '#lib/caller/auth/session.queries'
import type { SessionDocument } from '#lib/caller/auth/session.schema'
import { noteTouch, watchTouches } from '#lib/client/activity'
import { watchAppearance } from '#lib/client/appearance'
import { createQueryClient } from '#lib/client/query-client'
import { hearTabs, tellTabs } from '#lib/client/tabs'
import { newSession } from '#lib/client/waiting'
import { speechFor, speechOfBrowser } from '#lib/words/language'
import { dictionaryOf } from '#lib/words/words'
import { headStart } from './head-start'

// React Aria writes one style sheet, which needs the nonce of the content policy.
if (typeof document !== 'undefined')
  Object.assign(window, { __webpack_nonce__: document.querySelector<HTMLElement>('script[nonce]')?.nonce })

/** Loaded for a session alone: the sign-in page comes without the frame. */
const SignedIn = lazy(async () => ({ default: (await import('./signed-in')).SignedIn }))

const client = createQueryClient(hearRefusal)
const speech = speechOfBrowser()
const dictionary =
  typeof document === 'undefined' ? dictionaryOf('entrance', speech.language) : headStart(client, speech)

/** The single-page app. */
export function Console() {
  useEffect(watchAppearance, [])
  return (
    <Unbroken>
      <QueryClientProvider client={client}>
        <Suspense>
          <Speaking speech={speech} dictionary={dictionary}>
            <Entrance>
              <Gate />
            </Entrance>
          </Speaking>
        </Suspense>
      </QueryClientProvider>
    </Unbroken>
  )
}

/**
 * Without a session, any address shows the sign-in form. When a session ends under an open screen, the screen stays hidden behind
 * the form, and the same user finds their input there after the next sign-in.
 */
function Gate() {
  const { data: session, error, refetch } = useQuery(sessionQuery)
  const client = useQueryClient()
  const [user, setUser] = useState<SessionDocument>()
  if (session && session !== user) setUser(session)

  useEffect(() => newSession.listen(() => endSession(client)), [client])
  useEffect(() => watchTouches((at) => tellTabs({ type: 'touched', at })), [])
  useEffect(
    () =>
      hearTabs((message) => {
        if (message.type === 'touched') noteTouch(message.at)
        else void renewSession(client)
      }),
    [client],
  )

  if (session === undefined) return error ? <Unreachable error={error} retry={refetch} /> : <Starting />
  return (
    <>
      {!session && (
        <SpeakingTo user={user}>
          <SignIn again={user?.nick} onSignedIn={(next) => enterSession(client, next)} />
        </SpeakingTo>
      )}
      {user && (
        <Activity mode={session ? 'visible' : 'hidden'}>
          <Suspense fallback={<Starting />}>
            <SignedIn key={`${user.id} ${user.viewer?.id}`} session={user}>
              <ProofHost />
            </SignedIn>
          </Suspense>
        </Activity>
      )}
    </>
  )
}

/** After a session ends, sign-in uses the user's own language: its words are loaded already. */
function SpeakingTo({ user, children }: { user: SessionDocument | undefined; children: ReactNode }) {
  if (!user) return children
  const theirs = speechFor(user.locale)
  return (
    <Speaking speech={theirs} dictionary={dictionaryOf('console', theirs.language)}>
      {children}
    </Speaking>
  )
}
