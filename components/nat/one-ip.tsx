import Button from '@cloudscape-design/components/button'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useSearchParams } from 'react-router'
import { useTranslations } from 'use-intl'

/** Says that the rules are those of one IP, and leads back to all of the network. */
export function OneIp({ ip }: { ip: string }) {
  const say = useTranslations('nat.rules')
  const [search, setSearch] = useSearchParams()
  const showAll = () => {
    const changed = new URLSearchParams(search)
    for (const name of ['natip', 'page']) changed.delete(`rules.${name}`)
    setSearch(changed, { preventScrollReset: true })
  }
  return (
    <SpaceBetween direction="horizontal" size="s" alignItems="center">
      <span>{say.rich('ofIp', { ip, strong: (inside) => <strong>{inside}</strong> })}</span>
      <Button variant="inline-link" onClick={showAll}>
        {say('ofAll')}
      </Button>
    </SpaceBetween>
  )
}
