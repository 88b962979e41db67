import Alert from '@cloudscape-design/components/alert'
import Button from '@cloudscape-design/components/button'
import Spinner from '@cloudscape-design/components/spinner'
import { useTranslations } from 'use-intl'
import { Failure } from '#components/base/forms/failure'
import { brokenWords } from '#lib/words/fallback'
import { speechOfBrowser } from '#lib/words/language'
import styles from './layout.module.css'
import { productName } from './product'

/** Shown while the console starts; invisible at first, because starting is usually fast. */
export function Starting() {
  const say = useTranslations('common')
  return (
    <div className={styles.starting} role="status">
      <Spinner size="large" />
      <span>{say('loading')}</span>
    </div>
  )
}

export function Unreachable({ error, retry }: { error: unknown; retry: () => void }) {
  return (
    <main className={styles.alone}>
      <h1>{productName()}</h1>
      <Failure error={error} retry={retry} />
    </main>
  )
}

/** The last resort, when the frame of the console or its words failed. */
export function Broken() {
  const { title, text, again, errorIcon } = brokenWords[speechOfBrowser().language]
  return (
    <main className={styles.alone}>
      <h1>{productName()}</h1>
      <Alert
        type="error"
        header={title}
        action={<Button onClick={() => window.location.reload()}>{again}</Button>}
        i18nStrings={{ errorIconAriaLabel: errorIcon }}
      >
        {text}
      </Alert>
    </main>
  )
}
