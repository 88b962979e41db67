import type { TwoFactorProvider } from '#lib/auth/session.schema'

type CodeWords = {
  name: string
  /** Where a fresh code comes from, and any that is accepted. */
  fresh: string
  any: string
  /** What is said of something that cannot be a fresh code, or any code. */
  notFresh: string
  notAny: string
  /** What is said of a code that the server refused. */
  wrong: string
}

/** What is said of verification codes, by where they come from. */
export const codeWords: Record<TwoFactorProvider, CodeWords> = {
  APP_AUTHENTICATOR: {
    name: 'Authenticator app',
    fresh: 'The six digits that your authenticator app shows now.',
    any: 'The six digits that your authenticator app shows now, or one of your scratch codes.',
    notFresh: 'Type the six digits that your app shows.',
    notAny: 'Type the six digits that your app shows, or the eight of a scratch code.',
    wrong:
      'This code was not accepted. Each code works once: wait for the next one in your app, or use another scratch code.',
  },
  EMAIL: {
    name: 'E-mail',
    fresh: 'The six digits of the newest mail.',
    any: 'The six digits of the newest mail, or one of your scratch codes.',
    notFresh: 'Type the six digits of the mail.',
    notAny: 'Type the six digits of the mail, or the eight of a scratch code.',
    wrong:
      'This code was not accepted. Only the newest mail counts, and each code works once: have another one sent, or use another scratch code.',
  },
}
