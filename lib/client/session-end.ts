import { createWaiting } from '#lib/client/waiting'

/* A change that finds nobody signed in waits for the user to sign in again in place, and is then sent once more. */

export const {
  /** Hears of a change that found nobody signed in. Gives what ends the listening. */
  listen: onSessionEnd,
  /** Tells that the session has ended. Resolves with whether the same user signs in next. */
  wait: untilSignedInAgain,
  /** Somebody has signed in: the same user as before, or another. */
  answer: signedInAgain,
} = createWaiting()
