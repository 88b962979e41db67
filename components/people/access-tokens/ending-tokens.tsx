import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { AppLink } from '#components/base/screens/app-link'
import { paths } from '#components/base/screens/paths'
import { useSession } from '#components/base/session/session'
import { Notice } from '#components/kit/notice'
import { tokensQuery } from '#lib/people/access-tokens/access-tokens.queries'
import { daysLeft, endsSoon } from './token-facts'

const MOST = 5

/** For Home: the user's own tokens that end within two weeks. Renders nothing if there are none. */
export function EndingTokens() {
  const { id, enterprise } = useSession()
  const say = useTranslations('accessTokens.soon')
  const list = useQuery(
    tokensQuery({ id, enterprise: enterprise.id }, { by: 'expires', expired: false, limit: MOST }),
  )
  const now = new Date(list.dataUpdatedAt)
  const soon = (list.data?.collection ?? []).filter((token) => endsSoon(token, now))
  if (soon.length === 0) return null
  return (
    <Notice kind="warn">
      {soon.map((token) => (
        <div key={token.id}>
          {say.rich('one', {
            name: token.name,
            days: daysLeft(token, now),
            link: (inside) => <AppLink to={paths.token(token.id)}>{inside}</AppLink>,
          })}
        </div>
      ))}
    </Notice>
  )
}
