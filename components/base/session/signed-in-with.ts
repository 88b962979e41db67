/*
 * What the user of this page has just signed in with. It stays in memory alone, until it is used or the page is left: the screen of a
 * forced new password does not ask again for the password of a moment ago, and a user of a scratch code is asked about their phone.
 */

type SignedInWith = { nick: string; password: string | undefined; isScratchCode: boolean }

let last: SignedInWith | undefined

type SignIn = { nick?: string | undefined; password?: string | undefined; code?: string | undefined }

export function noteSignIn({ nick = '', password, code = '' }: SignIn, mustChangePassword: boolean): void {
  last = {
    nick,
    password: mustChangePassword ? password : undefined,
    isScratchCode: /^\d{8}$/.test(code),
  }
}

/** The password that this user typed at the sign-in, if they must replace it. */
export const typedPassword = (nick: string): string | undefined =>
  last?.nick === nick ? last.password : undefined

/** Whether the sign-in used a scratch code. True once. */
export function takeScratchCodeUse(): boolean {
  const isScratchCode = last?.isScratchCode ?? false
  if (last) last = { ...last, isScratchCode: false }
  return isScratchCode
}

export const forgetTypedPassword = (): void => {
  if (last) last = { ...last, password: undefined }
}
