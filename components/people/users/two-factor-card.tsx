import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { RequiresPrivilege } from '#components/base/forms/why'
import { access } from '#components/base/screens/access'
import { useMay } from '#components/base/session/session'
import { Card, Stack } from '#components/kit/layout'
import { Status } from '#components/kit/status'
import { Tool } from '#components/kit/tool'
import type { Privilege } from '#lib/caller/auth/privileges'
import { kinds } from '#lib/caller/kinds/kinds'
import { enterpriseQuery } from '#lib/people/identity/enterprises.queries'
import type { UserDocument } from '#lib/people/identity/identity.schema'
import { enterpriseOfUser, hasTwoFactor } from '#lib/people/identity/users.queries'

type TwoFactorCardProps = {
  user: UserDocument
  /** Why it cannot be reset. */
  refusal: string | undefined
  /** The privilege that the caller lacks for it. */
  missing: Privilege | undefined
  onReset: () => void
}

/** The state of the user's two factor authentication, and the reset for users who lost the phone. */
export function TwoFactorCard({ user, refusal, missing, onReset }: TwoFactorCardProps) {
  const say = useTranslations('users.twoFactor')
  const label = useTranslations('labels')
  const mayManage = useMay(...access.manageUsers)
  const isOn = hasTwoFactor(user)
  const isMandatory = useIsMandatory(user)
  return (
    <Card
      title={label('twoFactor')}
      actions={
        mayManage && (
          <RequiresPrivilege missing={missing}>
            <Tool refused={refusal} onPress={onReset}>
              {say('reset')}
            </Tool>
          </RequiresPrivilege>
        )
      }
      fill
    >
      <Stack gap="s">
        <Status kind={isOn ? 'good' : 'warn'}>{say(isOn ? 'on' : 'off')}</Status>
        <div className="quiet">{say(isOn ? 'onWhy' : isMandatory ? 'mandatory' : 'offWhy')}</div>
      </Stack>
    </Card>
  )
}

function useIsMandatory(user: UserDocument): boolean {
  const mayRead = useMay(...kinds.enterprise.readers)
  const enterprise = enterpriseOfUser(user)
  const read = useQuery({
    ...enterpriseQuery(enterprise ?? 0),
    enabled: mayRead && enterprise !== undefined && !hasTwoFactor(user),
  })
  return read.data?.document.twoFactorAuthenticationMandatory ?? false
}
