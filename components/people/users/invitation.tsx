import { useTranslations } from 'use-intl'
import { SecretOnce, useNewSecret } from '#components/base/forms/secret-once'
import { useAction } from '#components/base/forms/use-action'
import { useSession } from '#components/base/session/session'
import { Button } from '#components/kit/button'
import { Row } from '#components/kit/layout'
import { Notice } from '#components/kit/notice'
import type { UserDocument } from '#lib/people/identity/identity.schema'
import { useInviteAgain } from '#lib/people/identity/users.queries'

type InvitationProps = {
  user: UserDocument
  /** Why the caller cannot invite again. */
  refusal: string | undefined
  mayManage: boolean
}

/** Of a user who has not accepted yet: the link of a new invitation, this one time, or the ways to a new one. */
export function InvitationNotice({ user, refusal, mayManage }: InvitationProps) {
  const say = useTranslations('users.invitation')
  const link = useNewSecret('user', user.id)
  if (link)
    return (
      <SecretOnce secret={link} label={say('link')} copyLabel={say('copy')}>
        {say('linkAbout', { nick: user.nick })}
      </SecretOnce>
    )
  return (
    <Notice
      title={say('waiting', { nick: user.nick })}
      action={mayManage && <Again user={user} refusal={refusal} />}
    >
      {say('waitingAbout')}
    </Notice>
  )
}

function Again({ user, refusal }: Pick<InvitationProps, 'user' | 'refusal'>) {
  const say = useTranslations('users.invitation')
  const sendsMail = useSession().twoFactorProviders.includes('EMAIL')
  const invite = useInviteAgain()
  const start = useAction(invite, {
    done: ({ invitation }) => say(invitation ? 'newLink' : 'mailed', { email: user.email }),
    failed: () => say('failed', { nick: user.nick }),
  })
  const button = (how: true | 'link') => ({
    busy: invite.isPending && invite.variables.how === how,
    refused: refusal,
    onPress: () => start({ user, how }),
  })
  return (
    <Row>
      <Button {...button('link')}>{say('makeLink')}</Button>
      {sendsMail && user.email !== '' && <Button {...button(true)}>{say('again')}</Button>}
    </Row>
  )
}
