import { useMutation } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { Confirm } from '#components/base/forms/confirm'
import { revokeToken, type TokenOwner } from '#lib/people/access-tokens/access-tokens.queries'
import type { AccessTokenDocument } from '#lib/people/access-tokens/access-tokens.schema'

type RevokeTokenProps = {
  owner: TokenOwner
  token: AccessTokenDocument
  onDone: () => void
  onClose: () => void
}

export function RevokeToken({ owner, token, onDone, onClose }: RevokeTokenProps) {
  const say = useTranslations('accessTokens.revoke')
  const { name } = token
  return (
    <Confirm
      title={say('title')}
      label={say('submit')}
      mutation={useMutation(revokeToken(owner))}
      input={token}
      done={() => say('done', { name })}
      onDone={onDone}
      onCancel={onClose}
    >
      {say.rich('text', { name, b: (inside) => <strong>{inside}</strong> })}
    </Confirm>
  )
}
