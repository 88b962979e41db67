import { Component, type ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { FailureNotice } from '#components/base/forms/failure-notice'
import { Button } from '#components/kit/button'
import { Spinner } from '#components/kit/spinner'
import { brokenWords } from '#lib/words/fallback'
import { speechOfBrowser } from '#lib/words/language'
import styles from './layout.module.css'
import { OpenPage } from './open-page'
import { productName } from './product'

/** Shown while the console starts; invisible at first, because starting is usually fast. */
export function Starting() {
  const say = useTranslations('common')
  return (
    <div className={styles.starting} role="status">
      <Spinner />
      <span>{say('loading')}</span>
    </div>
  )
}

export function Unreachable({ error, retry }: { error: unknown; retry: () => void }) {
  return (
    <OpenPage>
      <h1 className="unseen">{productName()}</h1>
      <FailureNotice error={error} retry={retry} />
    </OpenPage>
  )
}

/** The last resort, when the frame of the console or its words failed. React reports the error to the browser's log. */
export class Unbroken extends Component<{ children: ReactNode }, { isBroken: boolean }> {
  override state = { isBroken: false }

  static getDerivedStateFromError = () => ({ isBroken: true })

  override render(): ReactNode {
    return this.state.isBroken ? <Broken /> : this.props.children
  }
}

function Broken() {
  const { title, text, again } = brokenWords[speechOfBrowser().language]
  return (
    <OpenPage>
      <div className={styles.broken}>
        <div>
          <h1>{title}</h1>
          <p>{text}</p>
        </div>
        <Button look="main" wide onPress={() => window.location.reload()}>
          {again}
        </Button>
      </div>
    </OpenPage>
  )
}
