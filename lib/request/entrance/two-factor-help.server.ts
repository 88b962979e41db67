import { isPasswordOn } from '#lib/caller/auth/modes.server'
import { twoFactorResetRequestInput } from '#lib/caller/auth/session.schema'
import { pathOf } from '#lib/caller/kinds/kind'
import { kinds } from '#lib/caller/kinds/kinds'
import { transaction } from '#lib/db/db.server'
import type { Answer } from '#lib/ground/http/answer.server'
import { noContent } from '#lib/ground/http/bodiless.server'
import { clientAddress } from '#lib/ground/http/client-address.server'
import { ApiError, fault } from '#lib/ground/http/errors'
import type { Exchange } from '#lib/ground/http/exchange.server'
import { siteAddress } from '#lib/ground/http/origin.server'
import { helpersOf } from '#lib/people/identity/two-factor-help.server'
import { checkNickAndPassword } from '#lib/people/sign-in/password-sign-in.server'
import { aboutUser, type SignedIn } from '#lib/people/sign-in/sign-in-events.server'
import { countHelpRequest } from '#lib/people/sign-in/throttle.server'
import { insertEvent } from '#lib/record/events/record.server'
import { notify, sendsMail } from '#lib/record/mail/outbox.server'
import { readOpenly } from '#lib/request/pipeline/open.server'

/**
 * Mails administrators that this user has lost phone and scratch codes, at most once an hour. The password is checked as at the sign-in, so
 * that nobody else can ask, and the answer reveals no more than the sign-in does.
 */
export async function askForTwoFactorReset(request: Exchange): Promise<Answer> {
  if (!sendsMail() || !isPasswordOn()) throw new ApiError('SIGN-IN-8')
  const { nick, password } = await readOpenly(request, twoFactorResetRequestInput, 'twofactorresetrequest')
  const known = await checkNickAndPassword(request, nick, password)
  if (!known) throw new ApiError('SIGN-IN-0')
  if (known.account.two_factor_provider) await askHelpers(request, known.account)
  return noContent()
}

async function askHelpers(request: Exchange, user: SignedIn): Promise<void> {
  await countHelpRequest(user.id)
  await transaction(async (trx) => {
    const helpers = await helpersOf(trx, user)
    if (helpers.length === 0)
      throw new ApiError(fault('SIGN-IN-8', 'No administrator who could help has an e-mail address'))
    const path = pathOf(kinds.user, { enterprise: user.enterprise_id, id: user.id })
    const mail = {
      kind: 'two-factor-help' as const,
      nick: user.nick,
      address: clientAddress(request),
      href: `${siteAddress()}${path.replace(/^\/admin/, '')}`,
    }
    for (const helper of helpers) await notify(trx, helper, mail)
    await insertEvent(trx, { request, action: 'ask-2fa-reset', ...aboutUser(user) })
  })
}
