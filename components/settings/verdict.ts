import type { SignInTrial } from '#lib/federation/mechanisms.schema'
import { isOfUser } from '#lib/federation/problems'
import type { Say } from '#lib/words/words'

/** The outcome of a trial, and its explanation. */
type Verdict = { type: 'success' | 'warning' | 'error'; text: string; detail: string }

/** The setting that lets a provider create users. */
const createSetting = { OPENID: 'OIDC_CREATE_USERS', SAML: 'SAML_CREATE_USERS' }
/** The setting that lets a provider sign in users who have a password here. */
const linkSettings = { OPENID: 'OIDC_LINK_EXISTING', SAML: 'SAML_LINK_EXISTING' }

export function verdictOf(
  say: Say<'settings.trial'>,
  { outcome, provider, user }: Pick<SignInTrial, 'outcome' | 'provider' | 'user'>,
): Verdict {
  const nick = user?.nick ?? ''
  const detail = say(`detail.${outcome}`, {
    nick,
    setting: createSetting[provider],
    linkSetting: linkSettings[provider],
  })
  if (outcome === 'known' || outcome === 'followed' || outcome === 'created')
    return { type: 'success', text: say(`verdict.${outcome}`, { nick }), detail }
  return { type: isOfUser(outcome) ? 'warning' : 'error', text: say('verdict.nobody'), detail }
}
