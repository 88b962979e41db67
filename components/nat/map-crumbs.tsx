import { useTranslations } from 'use-intl'
import { AppLink } from '#components/screens/app-link'
import { Address } from './address'
import styles from './map.module.css'

type MapCrumbsProps = { blocks: readonly string[]; pathOf: (block: string) => string }

/** The way from the network to the block that is shown. */
export function MapCrumbs({ blocks, pathOf }: MapCrumbsProps) {
  const say = useTranslations('nat.map')
  return (
    <nav aria-label={say('way')}>
      <ol className={styles.crumbs}>
        {blocks.map((block, index) => (
          <li key={block}>
            {index === blocks.length - 1 ? (
              <strong aria-current="location">
                <Address>{block}</Address>
              </strong>
            ) : (
              <AppLink to={pathOf(block)}>
                <Address>{block}</Address>
              </AppLink>
            )}
          </li>
        ))}
      </ol>
    </nav>
  )
}
