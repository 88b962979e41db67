import type { PasskeyAssertion } from '#lib/caller/auth/passkey.schema'
import { requestPasskeyOptions } from '#lib/caller/auth/passkeys.queries'

/* Loaded when a passkey is asked for: few visits of the sign-in page need the code. */
const load = () => import('@simplewebauthn/browser')

/** False without https, where browsers have no passkeys. */
export const hasPasskeys = (): boolean => typeof PublicKeyCredential === 'function'

/** Whether the browser can offer passkeys in the list of a field (WebAuthn §5.1.7). */
export const offersInField = async (): Promise<boolean> =>
  hasPasskeys() && (await PublicKeyCredential.isConditionalMediationAvailable?.()) === true

/** Asks for a passkey: beside the password of `nick`, or alone; in a dialog of the browser, or in the list of a field. */
export async function askForPasskey({
  nick,
  inField = false,
}: {
  nick?: string
  inField?: boolean
}): Promise<PasskeyAssertion> {
  const [{ startAuthentication }, optionsJSON] = await Promise.all([load(), requestPasskeyOptions(nick)])
  return startAuthentication({ optionsJSON, useBrowserAutofill: inField })
}

/** Has the browser make a passkey. */
export async function makePasskey(
  optionsJSON: Parameters<Awaited<ReturnType<typeof load>>['startRegistration']>[0]['optionsJSON'],
) {
  const { startRegistration } = await load()
  return startRegistration({ optionsJSON })
}

/** Ends a question that waits in the list of a field. */
export const stopAsking = async (): Promise<void> => (await load()).WebAuthnAbortService.cancelCeremony()

/** The user closed the browser's dialog, or it found no passkey: browsers do not distinguish these. */
export const isUnanswered = (error: unknown): boolean =>
  error instanceof Error && (error.name === 'NotAllowedError' || error.name === 'AbortError')

/** This authenticator already has a passkey of the user. */
export const isKnownHere = (error: unknown): boolean =>
  error instanceof Error && error.name === 'InvalidStateError'
