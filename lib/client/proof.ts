import { createWaiting } from '#lib/client/waiting'

/* A request that needs a proof of who is signed in waits for the dialog that asks for it, and is then sent once more. */

export const {
  /** Hears of a request that needs a proof. Gives what ends the listening. */
  listen: onProofNeeded,
  /** Has the dialog opened. Resolves with whether the user proved who they are; false where they gave up. */
  wait: untilProved,
  answer: answerProof,
} = createWaiting()
