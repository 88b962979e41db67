import type { TwoFactorProvider } from '#lib/caller/auth/session.schema'

/** The notices sent by mail. The address helps readers recognise actions that were not their own. */
export type Notice =
  | { kind: 'code'; code: string; minutes: number }
  | { kind: 'password-reset'; href: string; minutes: number }
  | { kind: 'invitation'; href: string; nick: string; hours: number }
  | { kind: 'two-factor-enabled'; provider: TwoFactorProvider; address: string }
  | { kind: 'two-factor-disabled'; address: string }
  | { kind: 'two-factor-reset' }
  /** For an administrator: `href` is the page of the user, `address` where the request came from. */
  | { kind: 'two-factor-help'; nick: string; address: string; href: string }
  | { kind: 'scratch-code-used'; left: number; address: string }
  | { kind: 'new-scratch-codes'; address: string }
  | { kind: 'passkey-added'; name: string; address: string }
  | { kind: 'password-changed'; by: 'user' | 'administrator'; address?: string }
  | { kind: 'email-changed'; to: string }
  /** `at`: when the token ends. `nick`: its user. */
  | { kind: 'access-token-ends'; name: string; nick: string; at: number }
  /** `at`: when the resource ends. `href`: its page. */
  | ({ kind: 'ends'; href: string } & EndingItem)
  /** Several on one day. `at`: when the first ends. `more`: those that are not named. */
  | { kind: 'many-ends'; count: number; items: EndingItem[]; more: number; at: number; href: string }
  | { kind: 'webhook-stopped'; name: string; problem: string }
  | { kind: 'codes-guessed'; attempts: number; addresses: string[]; more: number }

export type EndingItem = { entity: 'user' | 'natip' | 'natrule'; name: string; at: number }

/** The time of day in UTC. */
export const timeOf = (at: number): string => `${new Date(at).toISOString().slice(11, 16)} UTC`

/** The text of a mail in one language. */
export type Words = {
  subject: string
  lines: string[]
  /** Shown large, to be typed. */
  code?: string
  button?: { label: string; href: string }
}

/** A language of the mails. `at` is the moment of the notice, or now, written in this language. */
export type Language = {
  greeting: (name: string) => string
  words: (notice: Notice, at: string) => Words
  /** Why the mail came. `site`: the product's name and its host. */
  footer: (nick: string, site: string) => string
}
