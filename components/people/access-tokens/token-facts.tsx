import { useTranslations } from 'use-intl'
import { ExactTime, TimeAgo } from '#components/base/screens/moments'
import { Mark } from '#components/table/cells'
import type { AccessTokenDocument } from '#lib/people/access-tokens/access-tokens.schema'

type TokenProps = { token: AccessTokenDocument; now: Date }

const DAY = 24 * 60 * 60 * 1000
const SOON = 14

/** The whole days until the end; below 0 after it. */
export const daysLeft = ({ expires }: Pick<AccessTokenDocument, 'expires'>, now: Date): number =>
  Math.floor((Date.parse(expires) - now.getTime()) / DAY)

/** Whether the token ends within two weeks, or has ended. */
export const endsSoon = (token: Pick<AccessTokenDocument, 'expires'>, now: Date): boolean =>
  daysLeft(token, now) < SOON

export function TokenEnd({ token, now }: TokenProps) {
  const say = useTranslations('accessTokens')
  const days = daysLeft(token, now)
  return (
    <>
      <ExactTime at={token.expires} />
      {endsSoon(token, now) && (
        <div>
          <Mark kind={days < 0 ? 'off' : 'warning'}>
            {days < 0 ? say('ended') : say('daysLeft', { days })}
          </Mark>
        </div>
      )}
    </>
  )
}

export function LastUse({ token: { lastUsed, lastUsedFrom }, now }: TokenProps) {
  const say = useTranslations('accessTokens')
  if (lastUsed === undefined) return say('neverUsed')
  return say.rich('usedFrom', {
    address: lastUsedFrom ?? '',
    time: () => <TimeAgo at={lastUsed} now={now} />,
  })
}
